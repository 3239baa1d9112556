package dev.outrider.experiment.costs;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// t(n): nanoseconds of a target pass by its number of rows. Straight lines lead from one known point to the next, and on beyond the
/// last one.
///
/// @param points by rows; one row is known, times are positive
public record CostCurve(SortedMap<Integer, Double> points) {
    public CostCurve {
        points = Collections.unmodifiableSortedMap(new TreeMap<>(points));
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
