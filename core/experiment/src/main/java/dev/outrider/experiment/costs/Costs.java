package dev.outrider.experiment.costs;

import dev.outrider.common.Require;
import dev.outrider.engine.model.CostCurve;
import dev.outrider.engine.model.FittedCurve;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// The cost of rounds on one machine.
///
/// @param name     what to call the place
/// @param origin   how the target's times were got
/// @param target   t(n)
/// @param drafters drafts by variant; for other variants the times of the run are used
/// @param engine   the engine's part of a round by variant, keeping cache rows included: a rule looks at the distributions of a path, not at
///                 those of every node. Of others the time that the run measured is used
/// @param firstRounds nanoseconds that the first rounds of a generation take more than later ones, by variant and by the rows of its passes
/// @param again    the same costs as other timings could have found them, drawn from what was timed; none where nothing is known of that
public record Costs(
        String name,
        String origin,
        CostCurve target,
        Map<String, LinearCost> drafters,
        Map<String, LinearCost> engine,
        Map<String, SortedMap<Integer, Double>> firstRounds,
        List<Costs> again) {
    /// Costs of whose errors nothing is known.
    public Costs(
            String name,
            String origin,
            CostCurve target,
            Map<String, LinearCost> drafters,
            Map<String, LinearCost> engine) {
        this(name, origin, target, drafters, engine, Map.of(), List.of());
    }

    /// Returns what the first rounds of a generation take more than others, of the timed passes with the most rows that are not more; 0 where
    /// nothing is known.
    ///
    /// @param variant its name
    /// @param rows    of its longest pass
    public double firstRounds(String variant, int rows) {
        var known = firstRounds.getOrDefault(variant, Collections.emptySortedMap());
        var fewer = known.headMap(rows + 1);
        return fewer.isEmpty()
                ? known.isEmpty() ? 0 : known.firstEntry().getValue()
                : fewer.lastEntry().getValue();
    }

    /// Returns the origin of the costs of a variant's drafts.
    String originOf(String variant) {
        return Optional.ofNullable(drafters.get(variant))
                .map(LinearCost::origin)
                .orElse("as measured in this run");
    }

    /// A part of a round that takes `round + level * depth` nanoseconds.
    ///
    /// @param round  of every round
    /// @param level  of each level of the draft
    /// @param origin where the numbers are from, for people
    public record LinearCost(double round, double level, String origin) {
        /// Nothing.
        public static final LinearCost FREE = new LinearCost(0, 0, "free");

        public LinearCost {
            Require.that(
                    round >= 0 && level >= 0 && round + level < Double.POSITIVE_INFINITY,
                    "costs are %s a round and %s a level, expected times",
                    round,
                    level);
        }

        /// Returns the nanoseconds of a round.
        ///
        /// @param depth of its draft
        public double of(int depth) {
            return round + level * depth;
        }

        /// Returns the line through times by depth, neither part of it below 0. One depth does not tell a round's part from a level's, and
        /// all is the level's then.
        ///
        /// @param nanos  by depth, at least one
        /// @param rounds that each is from
        public static LinearCost through(
                SortedMap<Integer, Double> nanos, Map<Integer, Integer> rounds, String origin) {
            double[] line =
                    FittedCurve.nonNegative(
                            nanos.entrySet().stream()
                                    .map(each ->
                                            new double[] {
                                                each.getKey(),
                                                1,
                                                each.getValue(),
                                                rounds.getOrDefault(each.getKey(), 0)
                                            })
                                    .toList());
            return new LinearCost(line[1], line[0], origin);
        }
    }
}
