package dev.outrider.experiment.stats;

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;

/// A median with its 95 % confidence interval. A single value has a median only.
///
/// @param low  lower end, if there is an interval
/// @param high upper end, if there is an interval
public record Interval(double median, Optional<Double> low, Optional<Double> high) {
    static Interval of(double median, double low, double high) {
        return new Interval(median, Optional.of(low), Optional.of(high));
    }

    static Interval unknown(double median) {
        return new Interval(median, Optional.empty(), Optional.empty());
    }

    /// The lower end, or the median where there is no interval: what a drawing must have room for.
    public double least() {
        return low.orElse(median);
    }

    /// The upper end, or the median where there is no interval.
    public double most() {
        return high.orElse(median);
    }

    /// Median and interval as a person reads them.
    public String shown(DoubleFunction<String> number) {
        return number.apply(median) + " " + bounds(number);
    }

    /// The interval as a person reads it; `-` where there is none.
    public String bounds(DoubleFunction<String> number) {
        return low.isEmpty()
                ? "-"
                : "[%s, %s]".formatted(number.apply(least()), number.apply(most()));
    }

    /// Median, low and high with every digit; nothing for the ends where there is no interval.
    public List<String> fields() {
        return List.of(
                Double.toString(median),
                low.map(String::valueOf).orElse(""),
                high.map(String::valueOf).orElse(""));
    }
}
