package dev.outrider.cli;

import dev.outrider.common.NearestName;
import dev.outrider.config.Durations;
import dev.outrider.experiment.bench.Bench.Budget;
import dev.outrider.nn.bench.NamedShapes;
import dev.outrider.nn.network.DecoderConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/// Checks of what options are given that the parser of the command line cannot make.
final class Options {
    private Options() {}

    /// Refuses a value.
    ///
    /// @param spec     of the command
    /// @param option   such as `--workers`
    /// @param expected what would be right, such as `1 or more`
    /// @throws ParameterException unless the condition holds
    static void require(
            CommandSpec spec, boolean condition, String option, Object value, String expected) {
        if (!condition) {
            throw new ParameterException(
                    spec.commandLine(), "%s is %s, expected %s".formatted(option, value, expected));
        }
    }

    /// Refuses a name that there is not, with the nearest one.
    ///
    /// @throws ParameterException if it is not among the names
    static void requireOneOf(
            CommandSpec spec, String option, String value, Collection<String> names) {
        String guess =
                NearestName.to(value, names).map("; did you mean '%s'?"::formatted).orElse("");
        require(
                spec,
                names.contains(value),
                option,
                value.isEmpty() ? "''" : value,
                "one of " + String.join(", ", names) + guess);
    }

    /// The option `--set`, wherever a configuration is read.
    static final class SetOption {
        @Option(names = "--set", descriptionKey = "set-key", paramLabel = "KEY=VALUE")
        private List<String> values = List.of();

        List<String> values() {
            return values;
        }
    }

    /// At which other costs results are looked at.
    static final class CostsOfOption {
        @Option(names = "--costs-of", paramLabel = "SHAPE|RESULT|FILE")
        private Optional<String> costsOf = Optional.empty();

        Optional<String> value() {
            return costsOf;
        }
    }

    /// The shape that a command times passes of, and how many threads compute them.
    static final class ShapeOptions {
        @Option(names = "--shape", descriptionKey = "named-shape", defaultValue = "stories15m")
        private String shape = "";

        @Option(names = "--threads", descriptionKey = "operation-threads", defaultValue = "2")
        private int threads;

        String name() {
            return shape.toLowerCase(Locale.ROOT);
        }

        int threads() {
            return threads;
        }

        /// The shape.
        ///
        /// @param spec of the command
        /// @throws ParameterException if there is none of this name
        DecoderConfig decoder(CommandSpec spec) {
            var shapes = NamedShapes.all();
            var found = shapes.get(name());
            if (found == null) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--shape is %s, expected one of %s"
                                .formatted(shape, String.join(", ", shapes.keySet())));
            }
            return found;
        }

        /// Builds a request for a measurement.
        ///
        /// @param spec    of the command
        /// @param request refuses numbers that make no sense
        /// @throws ParameterException if it does
        static <T> T request(CommandSpec spec, Supplier<T> request) {
            try {
                return request.get();
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), e.getMessage(), e);
            }
        }
    }

    /// Durations on the command line, as in configurations.
    static final class DurationConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                var duration = Durations.parse(text);
                if (duration.isPositive()) {
                    return duration;
                }
            } catch (IllegalArgumentException e) {
                // Said below.
            }
            throw new TypeConversionException(
                    "'%s' is no duration longer than 0, such as 30s, 10m or 1h30m".formatted(text));
        }
    }

    /// A number of prompts, or a duration.
    static final class BudgetConverter implements ITypeConverter<Budget> {
        @Override
        public Budget convert(String text) {
            try {
                return text.matches("[1-9][0-9]{0,6}")
                        ? Budget.ofPrompts(Integer.parseInt(text))
                        : Budget.ofTime(new DurationConverter().convert(text));
            } catch (TypeConversionException e) {
                throw new TypeConversionException(
                        "'%s' is neither a number of prompts, such as 80, nor a time, such as 15m or 1h30m"
                                .formatted(text));
            }
        }
    }
}
