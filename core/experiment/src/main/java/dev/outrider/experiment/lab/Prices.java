package dev.outrider.experiment.lab;

import dev.outrider.experiment.costs.Costs;
import java.util.Optional;

/// What rounds of one variant and of plain decoding take, in nanoseconds.
///
/// @param costs    of the place
/// @param own      of the run, for what the place does not say
/// @param variant  its name
/// @param baseline of its plain decoding
record Prices(Costs costs, Costs own, String variant, String baseline) {
    /// A round.
    ///
    /// @param rows  of the target's pass
    /// @param depth of the draft; 0 where there is none
    double round(int rows, int depth) {
        double draft =
                Optional.ofNullable(costs.drafters().get(variant))
                        .or(() -> Optional.ofNullable(own.drafters().get(variant)))
                        .map(each -> each.of(depth))
                        .orElse(0.0);
        return costs.target().at(rows) + draft + engine(variant);
    }

    /// A token of plain decoding.
    double plain() {
        return costs.target().at(1) + engine(baseline);
    }

    private double engine(String side) {
        return costs.engine().getOrDefault(side, own.engine().getOrDefault(side, 0.0));
    }
}
