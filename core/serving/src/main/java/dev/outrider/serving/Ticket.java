package dev.outrider.serving;

import java.util.concurrent.CompletableFuture;

/// An accepted request. Thread-safe.
public interface Ticket {
    /// Ends the request before the next round, with the text so far. Idempotent; does nothing after the end.
    void cancel();

    /// {@return its result} Completes after the listener's last call; exceptionally with an
    /// [OutriderException][dev.outrider.spi.error.OutriderException] if it fails.
    CompletableFuture<Completion> completion();
}
