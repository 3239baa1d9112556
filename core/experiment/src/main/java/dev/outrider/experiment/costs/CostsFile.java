package dev.outrider.experiment.costs;

import dev.outrider.common.Require;
import dev.outrider.engine.model.CostCurve;
import dev.outrider.experiment.costs.Costs.LinearCost;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Costs that a user typed in.
///
/// @param target   t(n)
/// @param drafters for drafters that are not named, the times of the run are used
/// @param engine   milliseconds of everything else in a round
public record CostsFile(
        @Doc("What a pass of the target takes.") Target target,
        @Default("[]")
                @Doc("What drafts take; of drafters that are not named, what the run measured.")
                List<Drafts> drafters,
        @Doc("Milliseconds of the rest of a round; left out, what the run measured.")
                Optional<Double> engine) {
    private static final double NANOS_PER_MILLI = 1e6;

    /// The target's passes.
    ///
    /// @param rows   increasing from 1
    /// @param millis times of these numbers of rows
    public record Target(
            @Doc("Numbers of rows, increasing, the first one 1.") List<Integer> rows,
            @Doc("Milliseconds of a pass of so many rows.") List<Double> millis) {
        public Target {
            rows = List.copyOf(rows);
            millis = List.copyOf(millis);
            Require.that(
                    rows.size() == millis.size(),
                    "target has %d rows and %d millis, expected as many",
                    rows.size(),
                    millis.size());
            for (int i = 1; i < rows.size(); i++) {
                Require.that(rows.get(i) > rows.get(i - 1), "rows %s do not increase", rows);
            }
            curve(rows, millis);
        }

        private static CostCurve curve(List<Integer> rows, List<Double> millis) {
            var points = new TreeMap<Integer, Double>();
            for (int i = 0; i < rows.size(); i++) {
                points.put(rows.get(i), millis.get(i) * NANOS_PER_MILLI);
            }
            return new CostCurve(points);
        }

        CostCurve curve() {
            return curve(rows, millis);
        }
    }

    /// The cost of the drafts of one variant or drafter.
    ///
    /// @param name  of a variant, or of a drafter
    /// @param round milliseconds of a draft, the same for every depth
    /// @param step  milliseconds of each level
    public record Drafts(
            @Doc("Name of a variant, or of a drafter as `use:` gives it.") String name,
            @Default("0") @Doc("Milliseconds of a draft, whatever its depth.") double round,
            @Default("0") @Doc("Milliseconds of each level of a draft.") double step) {
        public Drafts {
            new LinearCost(round, step, name);
        }

        LinearCost cost() {
            return new LinearCost(round * NANOS_PER_MILLI, step * NANOS_PER_MILLI, "typed in");
        }
    }

    public CostsFile {
        drafters = List.copyOf(drafters);
        var names = new HashSet<String>();
        for (Drafts each : drafters) {
            Require.that(names.add(each.name()), "drafters has two of the name '%s'", each.name());
        }
        if (engine.isPresent() && !(engine.get() >= 0 && engine.get() < Double.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "engine %s must be milliseconds".formatted(engine.get()));
        }
    }

    /// The costs for some variants.
    ///
    /// @param name   name of the costs
    /// @param drafts names of drafters by variant
    /// @param plain  names of plain decoding
    /// @throws IllegalArgumentException if a name is neither a variant's nor a drafter's
    public Costs costs(String name, Map<String, String> drafts, List<String> plain) {
        var known = new HashSet<>(drafts.keySet());
        known.addAll(drafts.values());
        for (Drafts each : drafters) {
            Require.that(
                    known.contains(each.name()),
                    "drafters names '%s', which is neither a variant nor a drafter of the results: %s",
                    each.name(),
                    known.stream().sorted().toList());
        }
        var costs = new HashMap<String, LinearCost>();
        var rest = new HashMap<String, LinearCost>();
        drafts.forEach((variant, drafter) -> {
            named(drafter).ifPresent(found -> costs.put(variant, found.cost()));
            named(variant).ifPresent(found -> costs.put(variant, found.cost()));
        });
        engine.ifPresent(millis -> {
            var cost = new LinearCost(millis * NANOS_PER_MILLI, 0, "typed in");
            drafts.keySet().forEach(each -> rest.put(each, cost));
            plain.forEach(each -> rest.put(each, cost));
        });
        return new Costs(name, "typed in", target.curve(), costs, rest);
    }

    private Optional<Drafts> named(String name) {
        return drafters.stream().filter(each -> each.name().equals(name)).findFirst();
    }
}
