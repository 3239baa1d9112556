package dev.outrider.experiment.report.chart;

import dev.outrider.common.Require;
import java.util.ArrayList;
import java.util.List;

/// A linear map from numbers to a coordinate.
///
/// @param low  number at `from`
/// @param high number at `to`, more than `low`
record Scale(double low, double high, double from, double to) {
    Scale {
        Require.that(
                low < high && Double.isFinite(low) && Double.isFinite(high),
                "no scale from %s to %s",
                low,
                high);
    }

    /// From 0 to a round number that is not less than `most`.
    static Scale fromZero(double most, double from, double to) {
        double safe = most > 0 && Double.isFinite(most) ? most : 1;
        double step = step(safe / 5);
        return new Scale(0, step * Math.ceil(safe / step * (1 - 1e-9)), from, to);
    }

    /// The coordinate of a number; numbers outside are drawn at the edge.
    double at(double value) {
        double clamped = Math.clamp(value, low, high);
        return from + (clamped - low) / (high - low) * (to - from);
    }

    /// Round numbers, about five of them.
    List<Double> ticks() {
        double step = step((high - low) / 5);
        var ticks = new ArrayList<Double>();
        for (long i = (long) Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) {
            ticks.add(i * step);
        }
        return List.copyOf(ticks);
    }

    /// Digits after the point that tell the ticks apart.
    int decimals() {
        return (int) Math.max(0, -Math.floor(Math.log10(step((high - low) / 5)) + 1e-9));
    }

    /// The smallest of 1, 2, 5 times a power of ten that is not less.
    private static double step(double least) {
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        double share = least / power;
        return power * (share <= 1 + 1e-9 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
    }
}
