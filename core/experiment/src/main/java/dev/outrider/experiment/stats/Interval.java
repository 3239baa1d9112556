package dev.outrider.experiment.stats;

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;

/// A number with its 95 % confidence interval, such as a median, a ratio of speeds or a quotient of sums. A number from a single
/// measurement has no interval.
///
/// @param low  lower end, if there is an interval
/// @param high upper end, if there is an interval
public record Interval(double value, Optional<Double> low, Optional<Double> high) {
    /// The interval of a variant compared with itself.
    public static final Interval ONE = of(1, 1, 1);

    public static Interval of(double value, double low, double high) {
        return new Interval(value, Optional.of(low), Optional.of(high));
    }

    /// Returns a value whose interval is not known.
    public static Interval unknown(double value) {
        return new Interval(value, Optional.empty(), Optional.empty());
    }

    /// Returns the lower end, or the value if there is no interval.
    public double least() {
        return low.orElse(value);
    }

    /// Returns the upper end, or the value if there is no interval.
    public double most() {
        return high.orElse(value);
    }

    /// Returns whether there is an interval, the whole of it above a number.
    public boolean above(double number) {
        return low.isPresent() && low.get() > number;
    }

    /// Returns whether there is an interval, the whole of it below a number.
    public boolean below(double number) {
        return high.isPresent() && high.get() < number;
    }

    /// Returns value and interval as a text for people.
    public String shown(DoubleFunction<String> number) {
        return number.apply(value) + " " + bounds(number);
    }

    /// Returns the interval as a text for people; `-` if there is none.
    public String bounds(DoubleFunction<String> number) {
        return low.isEmpty()
                ? "-"
                : "[%s, %s]".formatted(number.apply(least()), number.apply(most()));
    }

    /// Returns value, low and high with every digit; empty texts for the ends if there is no interval.
    public List<String> fields() {
        return List.of(
                Double.toString(value),
                low.map(String::valueOf).orElse(""),
                high.map(String::valueOf).orElse(""));
    }
}
