package dev.outrider.serving;

import dev.outrider.common.Ticker;
import dev.outrider.spi.target.TargetModel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Serves requests of several variants over one target.
///
/// Thread-safe. The target and the drafters stay the caller's, who closes them after this.
public final class ServingEngine implements AutoCloseable {
    private ServingEngine() {}

    /// Starts the loop.
    ///
    /// @param variants of the target, each name once; plain decoding is among them
    /// @throws dev.outrider.spi.error.OutriderException `CONFIG_INVALID`; `CAPABILITY_MISSING` for a drafter that learns
    public static ServingEngine start(
            TargetModel target, List<ServedVariant> variants, ServingLimits limits, Ticker ticker) {
        throw new UnsupportedOperationException();
    }

    /// The target.
    public TargetModel target() {
        throw new UnsupportedOperationException();
    }

    /// The variants, in the order of [#start].
    public List<ServedVariant> variants() {
        throw new UnsupportedOperationException();
    }

    /// The variant of a name.
    public Optional<ServedVariant> variant(String name) {
        throw new UnsupportedOperationException();
    }

    /// The limits.
    public ServingLimits limits() {
        throw new UnsupportedOperationException();
    }

    /// Takes a request. Returns at once.
    ///
    /// @throws dev.outrider.spi.error.OutriderException what is wrong with the request: as
    ///     [dev.outrider.engine.decode.RequestLimits], `LOSSY_NOT_ALLOWED`, `CAPABILITY_MISSING`, `OUT_OF_MEMORY` if its cache can never
    ///     fit; what may work later: `QUEUE_FULL`; and `SERVICE_CLOSED`
    public Ticket submit(ServingRequest request, ServingListener listener) {
        throw new UnsupportedOperationException();
    }

    /// An estimate of the time after which a request that was refused with `QUEUE_FULL` would be taken; at least a second.
    public Duration retryAfter() {
        throw new UnsupportedOperationException();
    }

    /// What it did so far.
    public ServingCounters counters() {
        throw new UnsupportedOperationException();
    }

    /// Takes no more requests, waits for those taken, ends those that are not done in time with what they wrote, and returns when all listeners
    /// were told. Idempotent.
    ///
    /// @param grace how long requests may go on
    public void close(Duration grace) {
        throw new UnsupportedOperationException();
    }

    /// [#close(Duration)] without grace.
    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
