package dev.outrider.experiment.costs;

import dev.outrider.engine.model.CostCurve;
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
/// @param drafters by variant; for other variants the times of the run are used
/// @param engine   the engine's part of a round by variant, keeping cache rows included; of others the time that the run
///                 measured is used
/// @param firstRounds nanoseconds that the first rounds of a generation take more than later ones, by variant and by the rows of its passes
/// @param again    the same as other timings could have found it, drawn from what was timed; none where nothing is known of that
public record Costs(
        String name,
        String origin,
        CostCurve target,
        Map<String, DraftCost> drafters,
        Map<String, EngineCost> engine,
        Map<String, SortedMap<Integer, Double>> firstRounds,
        List<Costs> again) {
    public Costs {
        drafters = Map.copyOf(drafters);
        engine = Map.copyOf(engine);
        firstRounds = Map.copyOf(firstRounds);
        again = List.copyOf(again);
    }

    /// What the first rounds of a generation take more than others, of passes of the most rows that were timed and are not more; 0 where
    /// nothing is known.
    ///
    /// @param variant its name
    /// @param rows of its longest pass
    public double firstRounds(String variant, int rows) {
        var known = firstRounds.getOrDefault(variant, Collections.emptySortedMap());
        var fewer = known.headMap(rows + 1);
        return fewer.isEmpty()
                ? known.isEmpty() ? 0 : known.firstEntry().getValue()
                : fewer.lastEntry().getValue();
    }

    /// Costs of whose errors nothing is known.
    public Costs(
            String name,
            String origin,
            CostCurve target,
            Map<String, DraftCost> drafters,
            Map<String, EngineCost> engine) {
        this(name, origin, target, drafters, engine, Map.of(), List.of());
    }

    /// Returns the origin of the costs of a variant's drafts.
    String originOf(String variant) {
        return Optional.ofNullable(drafters.get(variant))
                .map(DraftCost::origin)
                .orElse("as measured in this run");
    }

    /// The cost of a draft: `round + step * depth` nanoseconds.
    ///
    /// @param round  of every round with a draft, whatever its depth
    /// @param step   of each level of the draft
    /// @param origin where the numbers are from, for people
    public record DraftCost(double round, double step, String origin) {
        public DraftCost {
            if (!(round >= 0 && step >= 0 && round + step < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "a draft costs %s a round and %s a step, expected times"
                                .formatted(round, step));
            }
        }

        /// Nanoseconds of a draft.
        ///
        /// @param depth of the draft; 0 where there was none
        public double of(int depth) {
            return depth == 0 ? 0 : round + step * depth;
        }

        /// The line through times by depth, neither part of it below 0. One depth does not tell a round's part from a step's, and all is the
        /// step's then.
        ///
        /// @param nanos  of a draft by its depth, at least one
        /// @param rounds that each is from
        static DraftCost through(
                SortedMap<Integer, Double> nanos, Map<Integer, Integer> rounds, String origin) {
            double w = 0;
            double d = 0;
            double t = 0;
            double dd = 0;
            double dt = 0;
            for (var each : nanos.entrySet()) {
                double weight = rounds.getOrDefault(each.getKey(), 0);
                w += weight;
                d += weight * each.getKey();
                t += weight * each.getValue();
                dd += weight * each.getKey() * each.getKey();
                dt += weight * each.getKey() * each.getValue();
            }
            double proportional = dt / dd;
            if (nanos.size() == 1) {
                return new DraftCost(0, proportional, origin);
            }
            double step = (w * dt - d * t) / (w * dd - d * d);
            double round = (t - step * d) / w;
            if (round < 0) {
                return new DraftCost(0, proportional, origin);
            }
            return step < 0 ? new DraftCost(t / w, 0, origin) : new DraftCost(round, step, origin);
        }
    }

    /// What the engine does in a round beside draft and pass: `round + level * depth` nanoseconds, for a rule looks at the distributions of a path,
    /// not at those of every node.
    ///
    /// @param round of every round
    /// @param level of each level of the draft
    public record EngineCost(double round, double level) {
        /// Nothing.
        public static final EngineCost FREE = new EngineCost(0, 0);

        public EngineCost {
            if (!(round >= 0 && level >= 0 && round + level < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "the engine takes %s a round and %s a level, expected times"
                                .formatted(round, level));
            }
        }

        /// Nanoseconds of a round.
        ///
        /// @param depth of its draft
        public double of(int depth) {
            return round + level * depth;
        }
    }
}
