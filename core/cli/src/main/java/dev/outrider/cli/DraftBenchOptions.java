package dev.outrider.cli;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.runtime.ElementType;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// The options of every command that times drafts against target passes.
final class DraftBenchOptions {
    @Mixin private ShapeOptions shape = new ShapeOptions();

    @Option(
            names = "--precision",
            defaultValue = "bf16",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private ElementType precision = ElementType.BF16;

    @Option(
            names = "--context",
            defaultValue = "128",
            description = "Rows already in the cache (default: ${DEFAULT-VALUE}).")
    private int context;

    /// The target's shape.
    ///
    /// @throws picocli.CommandLine.ParameterException if there is none of this name
    DecoderConfig decoder(CommandSpec spec) {
        return shape.decoder(spec);
    }

    ElementType precision() {
        return precision;
    }

    int threads() {
        return shape.threads();
    }

    int context() {
        return context;
    }

    /// The first line of a report.
    String describe(int turns) {
        return "%s, %s, %d threads, context %d, median of %d turns"
                .formatted(
                        shape.name(),
                        precision.name().toLowerCase(Locale.ROOT),
                        threads(),
                        context,
                        turns);
    }
}
