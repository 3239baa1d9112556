package dev.outrider.cli;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/// Reads a file on another thread while this one reads something else. What fails there fails when it is asked for, and not otherwise.
///
/// @param <T> what is read
final class EarlyReading<T> {
    private final Path expected;
    private final Function<Path, T> read;
    private final CompletableFuture<T> early;

    /// @param expected what will most likely be asked for
    EarlyReading(Path expected, Function<Path, T> read) {
        this.expected = expected;
        this.read = read;
        this.early = CompletableFuture.supplyAsync(() -> read.apply(expected));
    }

    /// What was read, or is then.
    T of(Path place) {
        if (!place.equals(expected)) {
            return read.apply(place);
        }
        try {
            return early.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
