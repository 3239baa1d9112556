package dev.outrider.engine.model;

import java.util.List;
import java.util.SortedMap;

/// Curves through measured points: isotonic regression, which makes noisy means rise, and linear interpolation between the points.
public final class FittedCurve {
    private static final double PROPORTIONAL = 1e-9;

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

    /// Returns a and b of `y = a u + b v` by weighted least squares, neither of them below 0. Where u and v cannot be told apart, b is 0.
    ///
    /// @param rows u, v, y and weight each
    public static double[] nonNegative(List<double[]> rows) {
        double uu = 0;
        double uv = 0;
        double vv = 0;
        double uy = 0;
        double vy = 0;
        for (double[] row : rows) {
            uu += row[3] * row[0] * row[0];
            uv += row[3] * row[0] * row[1];
            vv += row[3] * row[1] * row[1];
            uy += row[3] * row[0] * row[2];
            vy += row[3] * row[1] * row[2];
        }
        double determinant = uu * vv - uv * uv;
        if (!(determinant > PROPORTIONAL * uu * vv)) {
            return new double[] {uu > 0 ? uy / uu : 0, 0};
        }
        double a = (uy * vv - vy * uv) / determinant;
        double b = (vy * uu - uy * uv) / determinant;
        if (b < 0) {
            return new double[] {uy / uu, 0};
        }
        return a < 0 ? new double[] {0, vy / vv} : new double[] {a, b};
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
