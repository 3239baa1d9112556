package dev.outrider.experiment.lab;

import dev.outrider.experiment.costs.CostCurve;
import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.costs.DraftCost;
import java.util.Optional;
import java.util.TreeMap;

/// What rounds of one variant and of plain decoding take, in nanoseconds.
///
/// @param target      t(n)
/// @param draft       of the variant
/// @param engine      the rest of a round of the variant
/// @param plainEngine the rest of a round of plain decoding
record Prices(CostCurve target, DraftCost draft, double engine, double plainEngine) {
    private static final DraftCost FREE = new DraftCost(0, 0, "free");

    /// @param costs    of the place
    /// @param own      of the run, for what the place does not say
    /// @param variant  its name
    /// @param baseline of its plain decoding
    static Prices of(Costs costs, Costs own, String variant, String baseline) {
        return new Prices(
                costs.target(),
                Optional.ofNullable(costs.drafters().get(variant))
                        .or(() -> Optional.ofNullable(own.drafters().get(variant)))
                        .orElse(FREE),
                engine(costs, own, variant),
                engine(costs, own, baseline));
    }

    private static double engine(Costs costs, Costs own, String side) {
        return costs.engine().getOrDefault(side, own.engine().getOrDefault(side, 0.0));
    }

    /// What rounds take.
    double of(Replay replay) {
        double nanos = draft.round() * replay.drafts() + draft.step() * replay.levels();
        for (var each : replay.byRows().entrySet()) {
            nanos += each.getValue() * (target.at(each.getKey()) + engine);
        }
        return nanos;
    }

    /// A token of plain decoding.
    double plain() {
        return target.at(1) + plainEngine;
    }

    /// How many times as fast as plain decoding.
    double speedup(Replay replay) {
        return replay.tokens() * plain() / of(replay);
    }

    Prices at(CostCurve other) {
        return new Prices(other, draft, engine, plainEngine);
    }

    Prices withFreeDrafts() {
        return new Prices(target, FREE, engine, plainEngine);
    }

    /// Where a pass of many rows takes what one of one row takes.
    Prices withFreeRows() {
        var level = new TreeMap<Integer, Double>();
        level.put(1, target.at(1));
        return at(new CostCurve(level));
    }

    /// Where the engine does nothing beside draft and pass; plain decoding's does what it does.
    Prices withFreeEngine() {
        return new Prices(target, draft, 0, plainEngine);
    }
}
