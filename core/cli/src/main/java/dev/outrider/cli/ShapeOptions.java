package dev.outrider.cli;

import dev.outrider.nn.bench.NamedShapes;
import dev.outrider.nn.network.DecoderConfig;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// The shape that a command times passes of, and how many threads compute them.
final class ShapeOptions {
    @Option(
            names = "--shape",
            defaultValue = "stories15m",
            description = "Name of a shape (default: ${DEFAULT-VALUE}); a wrong one lists them.")
    private String shape = "";

    @Option(
            names = "--threads",
            defaultValue = "2",
            description = "Threads of one operation (default: ${DEFAULT-VALUE}).")
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

    /// What is to be measured.
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
