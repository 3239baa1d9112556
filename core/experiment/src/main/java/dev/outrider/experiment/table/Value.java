package dev.outrider.experiment.table;

import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.Ratio;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// A cell of a table.
public sealed interface Value {
    /// As a person reads it.
    String shown();

    /// As JSON has it, with every digit.
    Object exact();

    /// As comma-separated values have it, with every digit.
    default List<String> fields() {
        return List.of(String.valueOf(exact()));
    }

    /// Words.
    record Words(String shown) implements Value {
        @Override
        public Object exact() {
            return shown;
        }
    }

    /// A number.
    ///
    /// @param number   every digit
    /// @param decimals digits after the point that are shown
    record Number(double number, int decimals) implements Value {
        @Override
        public String shown() {
            return String.format(Locale.ROOT, "%." + decimals + "f", number);
        }

        @Override
        public Object exact() {
            return number;
        }
    }

    /// A whole number.
    record Count(long number) implements Value {
        @Override
        public String shown() {
            return Long.toString(number);
        }

        @Override
        public Object exact() {
            return number;
        }
    }

    /// A part of a whole, shown in percent.
    record Share(double number) implements Value {
        @Override
        public String shown() {
            return String.format(Locale.ROOT, "%.1f%%", 100 * number);
        }

        @Override
        public Object exact() {
            return number;
        }
    }

    /// A median with its 95 % interval.
    record Span(Interval exact, int decimals) implements Value {
        @Override
        public String shown() {
            return exact.shown(number -> new Number(number, decimals).shown());
        }

        @Override
        public List<String> fields() {
            return exact.fields();
        }
    }

    /// The speedup of what speedups are over.
    record Base(Interval exact) implements Value {
        @Override
        public String shown() {
            return "1";
        }

        @Override
        public List<String> fields() {
            return exact.fields();
        }
    }

    /// A relative speed with its interval.
    record Factor(Ratio exact, int decimals) implements Value {
        @Override
        public String shown() {
            return exact.shown(number -> new Number(number, decimals).shown());
        }

        @Override
        public List<String> fields() {
            return exact.fields();
        }
    }

    /// A number for each position.
    record Series(List<Double> exact, int decimals) implements Value {
        public Series {
            exact = List.copyOf(exact);
        }

        @Override
        public String shown() {
            return exact.stream()
                    .map(each -> new Number(each, decimals).shown())
                    .collect(Collectors.joining(" "));
        }

        @Override
        public List<String> fields() {
            return List.of(exact.stream().map(String::valueOf).collect(Collectors.joining(" ")));
        }
    }

    /// A conclusion in words, with what it was drawn from.
    ///
    /// @param exact a record, or nothing
    record Finding(String shown, Optional<?> exact) implements Value {
        @Override
        public List<String> fields() {
            return List.of(shown);
        }
    }

    /// Nothing to show.
    ///
    /// @param shown the text
    record Absent(String shown) implements Value {
        @Override
        public Object exact() {
            return Optional.empty();
        }

        @Override
        public List<String> fields() {
            return List.of("");
        }
    }
}
