package dev.outrider.experiment.costs;

import java.util.Map;
import java.util.SortedMap;

/// What a draft costs: `round + step * depth` nanoseconds.
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
