package dev.outrider.engine.model;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The cost curve t(n): nanoseconds of a target pass by its number of rows, linear between the measured points.
///
/// @param points by rows; one row is among them, times are positive
/// @param errors standard errors of the points' logarithms; empty for times that a user typed in
public record CostCurve(SortedMap<Integer, Double> points, SortedMap<Integer, Double> errors) {
    private static final double NORMAL_97_5 = 1.96;

    public CostCurve {
        points = Collections.unmodifiableSortedMap(new TreeMap<>(points));
        errors = Collections.unmodifiableSortedMap(new TreeMap<>(errors));
        if (!points.containsKey(1) || points.firstKey() < 1) {
            throw new IllegalArgumentException(
                    "rows %s must be positive and 1 among them".formatted(points.keySet()));
        }
        for (Map.Entry<Integer, Double> point : points.entrySet()) {
            if (!(point.getValue() > 0) || point.getValue().isInfinite()) {
                throw new IllegalArgumentException(
                        "a pass of %d rows takes %s, expected a positive time"
                                .formatted(point.getKey(), point.getValue()));
            }
        }
    }

    /// A curve without standard errors.
    public CostCurve(SortedMap<Integer, Double> points) {
        this(points, new TreeMap<>());
    }

    /// The way in which a time is known.
    public enum Reach {
        /// Passes of so many rows were timed.
        TIMED,
        /// Passes of fewer and of more rows were.
        BETWEEN,
        /// Only passes of fewer rows were: a line is drawn on.
        BEYOND
    }

    /// Returns the way in which the time of a pass is known.
    ///
    /// @param rows at least 1
    public Reach reach(int rows) {
        if (points.containsKey(rows)) {
            return Reach.TIMED;
        }
        return rows > mostRows() ? Reach.BEYOND : Reach.BETWEEN;
    }

    /// A known point with the 95 % interval of its timing.
    ///
    /// @param nanos of a pass
    /// @param low   end of the interval; the time itself where its error is not known
    /// @param high  the other end
    public record Point(double nanos, double low, double high) {}

    /// The known points.
    public SortedMap<Integer, Point> timed() {
        var timed = new TreeMap<Integer, Point>();
        points.forEach((rows, nanos) -> {
            double factor = Math.exp(NORMAL_97_5 * errors.getOrDefault(rows, 0.0));
            timed.put(rows, new Point(nanos, nanos / factor, nanos * factor));
        });
        return timed;
    }

    /// Returns the nanoseconds of a pass. After the last point the last line goes on, or a level line if the last line falls.
    ///
    /// @param rows at least 1
    public double at(int rows) {
        int last = points.lastKey();
        double slope = 0;
        if (rows > last && points.size() > 1) {
            var high = points.lastEntry();
            var low = points.headMap(last).lastEntry();
            slope =
                    Math.max(
                            0, (high.getValue() - low.getValue()) / (high.getKey() - low.getKey()));
        }
        return FittedCurve.at(points, rows, slope);
    }

    /// The greatest known number of rows.
    public int mostRows() {
        return points.lastKey();
    }

    /// Curves through measured points: isotonic regression, which makes noisy means rise, and linear interpolation between the points.
    public static final class FittedCurve {
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
}
