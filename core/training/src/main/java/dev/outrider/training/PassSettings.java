package dev.outrider.training;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.nio.file.Path;
import java.util.Optional;

/// What a configuration says of a store of the target's passes.
///
/// @param store     folder of the store
/// @param tokens    at least this many are stored and learned again and again
/// @param top       logits of a token that are stored; 0 for all
/// @param gigabytes that the store may take at most
public record PassSettings(
        @Doc("Folder where passes of the target or teacher are kept; made if it is not there.")
                Path store,
        @Doc(
                        "Tokens whose passes are kept, rounded up to whole batches; training goes over them again and again.")
                long tokens,
        @Doc(
                        "Largest logits of a token that are kept, with the exact mass of the others; 0: all of them.")
                @Default("0")
                int top,
        @Doc("Most gigabytes (10^9 bytes) that the store may have. Left out: what the disk holds.")
                Optional<Double> gigabytes) {
    public PassSettings {
        if (tokens < 1 || tokens > 1_000_000_000_000L) {
            throw new IllegalArgumentException(
                    "tokens is %d; expected 1 to 10^12".formatted(tokens));
        }
        if (top < 0) {
            throw new IllegalArgumentException("top is %d; expected at least 0".formatted(top));
        }
        if (gigabytes.isPresent() && !(gigabytes.get() > 0)) {
            throw new IllegalArgumentException(
                    "gigabytes is %s; expected more than 0".formatted(gigabytes.get()));
        }
    }

    /// How many rows are stored.
    ///
    /// @param config its rows of a batch and tokens of a row
    long rows(TrainingConfig config) {
        long batch = (long) config.rows() * config.contextTokens();
        return (tokens + batch - 1) / batch * config.rows();
    }

    /// The same as a file in `folder` records it.
    PassSettings relativeTo(Path folder) {
        var from = folder.toAbsolutePath().normalize();
        return new PassSettings(
                from.relativize(store.toAbsolutePath().normalize()), tokens, top, gigabytes);
    }
}
