package dev.outrider.engine.model;

import java.util.SortedMap;

/// Curves through measured points: isotonic regression, which makes noisy means rise, and linear interpolation between the points.
public final class FittedCurve {
    private FittedCurve() {}

    /// Returns the rising sequence that is nearest to the values in weighted least squares (pool adjacent violators).
    ///
    /// @param weights of the values; a value of weight 0 is unknown: it is returned as it is and moves no other
    /// @see "Barlow et al. 1972, Statistical inference under order restrictions, chapter 1"
    public static double[] rising(double[] values, double[] weights) {
        double[] means = values.clone();
        double[] sums = weights.clone();
        int[] starts = new int[values.length];
        int[] ends = new int[values.length];
        int pools = 0;
        for (int i = 0; i < values.length; i++) {
            if (weights[i] <= 0) {
                continue;
            }
            double mean = values[i];
            double sum = weights[i];
            int start = i;
            while (pools > 0 && means[pools - 1] > mean) {
                pools--;
                double both = sums[pools] + sum;
                mean = (sums[pools] * means[pools] + sum * mean) / both;
                sum = both;
                start = starts[pools];
            }
            means[pools] = mean;
            sums[pools] = sum;
            starts[pools] = start;
            ends[pools] = i;
            pools++;
        }
        double[] rising = values.clone();
        for (int pool = 0; pool < pools; pool++) {
            if (starts[pool] == ends[pool]) {
                continue;
            }
            for (int i = starts[pool]; i <= ends[pool]; i++) {
                rising[i] = weights[i] > 0 ? means[pool] : values[i];
            }
        }
        return rising;
    }

    /// Returns the value at x: linear between the two known points around it, the first value before the first point.
    ///
    /// @param points at least one
    /// @param slope  by which the curve goes on after the last point
    public static double at(SortedMap<Integer, Double> points, int x, double slope) {
        var before = points.headMap(x + 1);
        var after = points.tailMap(x);
        if (before.isEmpty()) {
            return points.firstEntry().getValue();
        }
        var low = before.lastEntry();
        if (after.isEmpty()) {
            return low.getValue() + slope * (x - low.getKey());
        }
        var high = after.firstEntry();
        return high.getKey().equals(low.getKey())
                ? low.getValue()
                : low.getValue()
                        + (high.getValue() - low.getValue())
                                * (x - low.getKey())
                                / (high.getKey() - low.getKey());
    }
}
