package dev.outrider.config;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Durations in the form `500ms`, `30s`, `1m30s`, `2h`.
public final class Durations {
    /// Longer durations are mistakes, and would not fit a number of nanoseconds.
    private static final Duration LONGEST = Duration.ofDays(365);

    private static final Pattern WHOLE = Pattern.compile("([0-9]{1,12}(ns|us|ms|s|m|h)){1,8}");
    private static final Pattern PART = Pattern.compile("([0-9]+)(ns|us|ms|s|m|h)");
    private static final Map<String, Duration> UNITS =
            Map.of(
                    "ns", Duration.ofNanos(1),
                    "us", Duration.ofNanos(1_000),
                    "ms", Duration.ofMillis(1),
                    "s", Duration.ofSeconds(1),
                    "m", Duration.ofMinutes(1),
                    "h", Duration.ofHours(1));

    private Durations() {}

    /// Parses a duration.
    ///
    /// @throws IllegalArgumentException if the text is not one
    public static Duration parse(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException();
        }
        Duration sum = Duration.ZERO;
        for (Matcher part = PART.matcher(text); part.find(); ) {
            Duration unit = UNITS.getOrDefault(part.group(2), Duration.ZERO);
            sum = sum.plus(unit.multipliedBy(Long.parseLong(part.group(1))));
        }
        if (sum.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a duration of at most %s".formatted(format(LONGEST)));
        }
        return sum;
    }

    /// Returns the shortest spelling that [#parse] reads, largest unit first.
    static String format(Duration duration) {
        var text = new StringBuilder();
        append(text, duration.toHours(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        append(text, duration.getNano() / 1_000 % 1_000, "us");
        append(text, duration.getNano() % 1_000, "ns");
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long count, String unit) {
        if (count > 0) {
            text.append(count).append(unit);
        }
    }
}
