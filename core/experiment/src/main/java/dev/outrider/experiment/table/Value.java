package dev.outrider.experiment.table;

import dev.outrider.experiment.stats.Interval;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// A cell of a table.
///
/// @param shown as a text for people
/// @param exact in JSON, with every digit: a text, a number, an [Interval], a list of numbers, or a record or nothing in an `Optional`
/// @param words whether it is words, not a number
public record Value(String shown, Object exact, boolean words) {
    /// Words.
    public static Value words(String text) {
        return new Value(text, text, true);
    }

    /// A number.
    ///
    /// @param decimals digits after the point that are shown
    public static Value number(double number, int decimals) {
        return new Value(decimal(number, decimals), number, false);
    }

    /// A whole number.
    public static Value count(long number) {
        return new Value(Long.toString(number), number, false);
    }

    /// A part of a whole, shown in percent.
    public static Value share(double number) {
        return new Value(decimal(100 * number, 1) + "%", number, false);
    }

    /// A number with its interval.
    ///
    /// @param decimals as of [#number]
    public static Value interval(Interval interval, int decimals) {
        return new Value(interval.shown(number -> decimal(number, decimals)), interval, false);
    }

    /// Returns a number with its interval; the number alone if the interval has no width or there is none.
    ///
    /// @param decimals as of [#number]
    public static Value ratio(Interval ratio, int decimals) {
        return ratio.low().equals(ratio.high())
                ? new Value(decimal(ratio.value(), decimals), ratio, false)
                : interval(ratio, decimals);
    }

    /// A number for each position.
    ///
    /// @param decimals as of [#number]
    public static Value series(List<Double> numbers, int decimals) {
        return new Value(
                numbers.stream()
                        .map(each -> decimal(each, decimals))
                        .collect(Collectors.joining(" ")),
                numbers,
                false);
    }

    /// A conclusion in words.
    ///
    /// @param from the record that the conclusion is from, if there is one
    public static Value finding(String shown, Optional<?> from) {
        return new Value(shown, from, true);
    }

    /// A missing value in a column of numbers.
    ///
    /// @param shown the text in its place
    public static Value absent(String shown) {
        return new Value(shown, Optional.empty(), false);
    }

    /// Returns the fields of comma-separated values, with every digit: three for a number with an interval, otherwise one.
    public List<String> fields() {
        if (words) {
            return List.of(shown);
        }
        return switch (exact) {
            case Interval interval -> interval.fields();
            case List<?> numbers ->
                    List.of(numbers.stream().map(String::valueOf).collect(Collectors.joining(" ")));
            case Optional<?> _ -> List.of("");
            default -> List.of(String.valueOf(exact));
        };
    }

    /// Returns a number in the form of tables.
    public static String decimal(double number, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", number);
    }

    /// Returns a number with so many significant digits.
    public static String significant(double number, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "g", number);
    }
}
