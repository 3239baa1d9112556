package dev.outrider.drafting.bench;

import dev.outrider.common.Require;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.shape.NamedShapes;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.util.Locale;
import java.util.Optional;

/// The target, of random weights, that drafts are timed against.
public record TimedTarget(
        @Doc("Name of a shape; a wrong one lists them.") @Default("stories15m") String shape,
        @Doc("Threads of one operation.") @Default("2") int threads,
        @Doc("How all matrices are kept: f32, bf16, f16, int8, int4 or w8a8.") @Default("bf16")
                Precision precision,
        @Doc("Rows already in the cache.") @Default("128") int context) {
    public TimedTarget {
        HeadBench.requirePositive("threads and context", threads, context);
        shape = shape.toLowerCase(Locale.ROOT);
        Require.that(
                NamedShapes.all().containsKey(shape),
                "shape is %s, expected one of %s",
                shape,
                String.join(", ", NamedShapes.all().keySet()));
    }

    /// Its sizes.
    public DecoderConfig decoder() {
        return Optional.ofNullable(NamedShapes.all().get(shape)).orElseThrow();
    }

    /// The first line of a report.
    public String describe(int turns) {
        return "%s, %s, %d threads, context %d, median of %d turns"
                .formatted(
                        shape, precision.name().toLowerCase(Locale.ROOT), threads, context, turns);
    }
}
