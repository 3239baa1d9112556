package dev.outrider.cli;

import dev.outrider.config.Durations;
import dev.outrider.experiment.bench.Bench.Budget;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// Options that several commands have, and readers of option values.
final class Options {
    private Options() {}

    /// The option `--set`, for every command that reads a configuration.
    static final class SetOption {
        @Option(names = "--set", descriptionKey = "set-key", paramLabel = "KEY=VALUE")
        private List<String> values = List.of();

        List<String> values() {
            return values;
        }
    }

    /// The option for other costs.
    static final class CostsOfOption {
        @Option(names = "--costs-of", paramLabel = "RESULT|FILE")
        private Optional<String> costsOf = Optional.empty();

        /// @throws OutriderException if there is nothing with that name
        Optional<String> value() {
            costsOf.filter(place -> !Files.exists(Path.of(place)))
                    .ifPresent(place -> {
                        throw ErrorCode.USAGE.error(
                                "--costs-of is '%s', which is no folder of results and no file"
                                        .formatted(place),
                                "For the costs of a larger shape, run 'outrider bench CONFIG --shape SHAPE' and name its folder.");
                    });
            return costsOf;
        }
    }

    /// Durations on the command line, in the form of configurations.
    static final class DurationConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                var duration = Durations.parse(text);
                if (duration.isPositive()) {
                    return duration;
                }
            } catch (IllegalArgumentException e) {
                // Reported below.
            }
            throw new TypeConversionException(
                    "'%s' is no duration longer than 0, such as 30s, 10m or 1h30m".formatted(text));
        }
    }

    /// Bytes, such as `8g` or `1500m`.
    static final class SizeConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            if (!text.matches("[1-9][0-9]{0,6}[mgMG]")) {
                throw new TypeConversionException(
                        "'%s' is no size of memory, such as 8g or 1500m".formatted(text));
            }
            int unit = text.toLowerCase(Locale.ROOT).endsWith("g") ? 30 : 20;
            return Long.parseLong(text.substring(0, text.length() - 1)) << unit;
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
