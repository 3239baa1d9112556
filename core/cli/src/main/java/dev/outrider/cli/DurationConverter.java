package dev.outrider.cli;

import dev.outrider.config.Durations;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Durations on the command line, as in configurations.
final class DurationConverter implements ITypeConverter<Duration> {
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
