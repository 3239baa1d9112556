package dev.outrider.hub;

import dev.outrider.common.FailureReason;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Timeout and retries of requests.
///
/// @param silence  longest time without a byte
/// @param attempts in a row that may bring nothing
/// @param pause    before the second attempt; twice as long before each further one
record Patience(Duration silence, int attempts, Duration pause) {
    private static final int MAX_DOUBLINGS = 5;

    /// The default values.
    static Patience usual() {
        return new Patience(Duration.ofSeconds(20), 5, Duration.ofSeconds(1));
    }

    /// Waits before an attempt.
    ///
    /// @param failures   attempts in a row without progress
    /// @param cancelled  whether to stop waiting
    void beforeRetry(int failures, BooleanSupplier cancelled) {
        long wait = pause.toMillis() << Math.min(failures - 1, MAX_DOUBLINGS);
        long step = Math.min(wait, pause.toMillis());
        for (long waited = 0; waited < wait && !cancelled.getAsBoolean(); waited += step) {
            sleep(step);
        }
    }

    /// Waits a moment for another process.
    void moment() {
        sleep(Math.max(1, pause.toMillis()));
    }

    /// Sleeps; an interrupt is kept and ends the next wait.
    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns the exception after the last attempt.
    OutriderException exhausted(String what, IOException last) {
        return new OutriderException(
                ErrorCode.HUB_UNREACHABLE,
                "%s cannot be fetched: %s (%d attempts in a row brought nothing)"
                        .formatted(what, reason(last), attempts),
                "Check the connection, HF_ENDPOINT and https_proxy, and run the same command again: it goes on where it"
                        + " stopped.",
                last);
    }

    private static String reason(IOException cause) {
        var message = cause.getMessage();
        return message == null || message.isBlank() ? FailureReason.of(cause) : message;
    }
}
