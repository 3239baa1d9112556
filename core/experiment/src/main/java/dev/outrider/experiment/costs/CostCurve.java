package dev.outrider.experiment.costs;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// t(n): nanoseconds of a target pass by its number of rows. Straight lines lead from one known point to the next, and on beyond the
/// last one.
///
/// @param points by rows; one row is known, times are positive
/// @param errors standard errors of the points' logarithms; of points without one nothing is known, as of what was typed in
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

    /// A curve of whose errors nothing is known.
    public CostCurve(SortedMap<Integer, Double> points) {
        this(points, new TreeMap<>());
    }

    /// How a time is known.
    public enum Reach {
        /// Passes of so many rows were timed.
        TIMED,
        /// Passes of fewer and of more rows were.
        BETWEEN,
        /// Only passes of fewer rows were: a line is drawn on.
        BEYOND
    }

    /// How the time of a pass is known.
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

    /// Nanoseconds of a pass.
    ///
    /// @param rows at least 1
    public double at(int rows) {
        if (points.containsKey(rows) || points.size() == 1) {
            return nanos(Math.min(rows, points.lastKey()));
        }
        if (rows > points.lastKey()) {
            return beyond(rows);
        }
        int low = points.headMap(rows).lastKey();
        int high = points.tailMap(rows).firstKey();
        return nanos(low) + (nanos(high) - nanos(low)) * (rows - low) / (high - low);
    }

    /// A line that falls would end below zero, so it goes on level.
    private double beyond(int rows) {
        int high = points.lastKey();
        int low = points.headMap(high).lastKey();
        double slope = Math.max(0, (nanos(high) - nanos(low)) / (high - low));
        return nanos(high) + slope * (rows - high);
    }

    private double nanos(int known) {
        return points.getOrDefault(known, Double.NaN);
    }

    /// The greatest known number of rows.
    public int mostRows() {
        return points.lastKey();
    }
}
