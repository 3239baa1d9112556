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
/// @param name     name of the machine
/// @param origin   how the target's times were obtained
/// @param target   t(n)
/// @param drafters drafts by variant; for other variants the times of the run are used
/// @param engine   the engine's part of a round by variant, keeping cache rows included: a rule reads the distributions of a
///                 path, not of every node. For other variants the time that the run measured is used
/// @param firstRounds extra nanoseconds of the first rounds of a generation over later ones, by variant and by the rows of its passes
/// @param again    resamples of the same costs: as other timings could have found them; empty if nothing is known of the timing's errors
public record Costs(
        String name,
        String origin,
        CostCurve target,
        Map<String, LinearCost> drafters,
        Map<String, LinearCost> engine,
        Map<String, SortedMap<Integer, Double>> firstRounds,
        List<Costs> again) {
    /// Costs without known errors.
    public Costs(
            String name,
            String origin,
            CostCurve target,
            Map<String, LinearCost> drafters,
            Map<String, LinearCost> engine) {
        this(name, origin, target, drafters, engine, Map.of(), List.of());
    }

    /// Returns the extra time of the first rounds of a generation, from the timed passes with the most rows that are not more than
    /// `rows`; 0 if nothing is known.
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
    /// @param round  a constant part
    /// @param level  for each level of the draft
    /// @param origin where the numbers are from, for people
    public record LinearCost(double round, double level, String origin) {
        /// No cost.
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
        /// @param depth of the round's draft
        public double of(int depth) {
            return round + level * depth;
        }

        /// Returns the line through times by depth, neither part of it below 0. One depth does not separate a round's part from a
        /// level's: then all time counts as the level's.
        ///
        /// @param nanos  by depth, at least one
        /// @param rounds number of rounds of each time
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
