package dev.outrider.serving;

import java.util.concurrent.CompletableFuture;

/// A request that was taken. Thread-safe.
public interface Ticket {
    /// Ends the request before the next round, with what was written. Idempotent; does nothing once it is over.
    void cancel();

    /// {@return what becomes of it} Completes after the listener's last call; exceptionally with an
    /// [OutriderException][dev.outrider.spi.error.OutriderException] if it fails.
    CompletableFuture<Completion> completion();
}
