package dev.outrider.experiment.costs;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The curve nearest to given points that does not fall: neighbours that fall are pooled until none do. Distances are those of
/// logarithms, weighted by how well each is known.
///
/// @see "Ayer et al. 1955, An Empirical Distribution Function for Sampling with Incomplete Information, section 2"
final class Isotonic {
    /// No timing is known better than this.
    private static final double MIN_ERROR = 1e-3;

    private Isotonic() {}

    private record Pool(double log, double weight, int first, int last) {
        Pool with(Pool next) {
            double both = weight + next.weight;
            return new Pool((log * weight + next.log * next.weight) / both, both, first, next.last);
        }
    }

    /// @param points positive
    /// @param errors standard errors of their logarithms
    static SortedMap<Integer, Double> rising(
            SortedMap<Integer, Double> points, Map<Integer, Double> errors) {
        Deque<Pool> pools = new ArrayDeque<>();
        points.forEach((at, value) -> {
            double error = Math.max(MIN_ERROR, errors.getOrDefault(at, 0.0));
            var pool = new Pool(Math.log(value), 1 / (error * error), at, at);
            while (!pools.isEmpty() && pools.getLast().log() > pool.log()) {
                pool = pools.removeLast().with(pool);
            }
            pools.addLast(pool);
        });
        var rising = new TreeMap<Integer, Double>();
        for (var pool : pools) {
            for (int at : points.tailMap(pool.first()).headMap(pool.last() + 1).keySet()) {
                rising.put(at, Math.exp(pool.log()));
            }
        }
        return rising;
    }
}
