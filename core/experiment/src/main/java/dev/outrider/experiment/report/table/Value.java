package dev.outrider.experiment.report.table;

import dev.outrider.experiment.stats.Interval;
import java.util.Locale;

/// What stands in a cell of the summary.
public sealed interface Value {
    /// As a person reads it.
    String shown();

    /// Words.
    record Words(String shown) implements Value {}

    /// A number.
    ///
    /// @param exact    as in `summary.json`
    /// @param decimals digits after the point that are shown
    record Number(double exact, int decimals) implements Value {
        @Override
        public String shown() {
            return String.format(Locale.ROOT, "%." + decimals + "f", exact);
        }
    }

    /// A median with its 95 % interval.
    record Span(Interval exact, int decimals) implements Value {
        @Override
        public String shown() {
            return "%s [%s, %s]"
                    .formatted(
                            new Number(exact.median(), decimals).shown(),
                            new Number(exact.low(), decimals).shown(),
                            new Number(exact.high(), decimals).shown());
        }
    }
}
