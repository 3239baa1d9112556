package dev.outrider.engine.model;

import dev.outrider.common.Require;
import java.util.Collections;
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
        Require.that(
                points.containsKey(1) && points.firstKey() >= 1,
                "rows %s must be positive and 1 among them",
                points.keySet());
        for (Map.Entry<Integer, Double> point : points.entrySet()) {
            Require.that(
                    point.getValue() > 0 && !point.getValue().isInfinite(),
                    "a pass of %d rows takes %s, expected a positive time",
                    point.getKey(),
                    point.getValue());
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
        /// Only passes of fewer rows were timed: the last line is extended.
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
}
