package dev.outrider.hub;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The body of a response as it arrives, read by one thread. A server that sends nothing for
/// too long causes a timeout; the whole transfer has no time limit.
record ArrivingBytes(InputStream body) implements AutoCloseable {
    private static final int CHUNK = 1 << 16;

    static BodySubscriber<ArrivingBytes> subscriber() {
        return BodySubscribers.mapping(BodySubscribers.ofInputStream(), ArrivingBytes::new);
    }

    /// Returns what came next; empty at the end.
    ///
    /// @throws IOException if the connection was cut or nothing came for so long; the body can only be closed then
    ByteBuffer next(Duration patience) throws IOException {
        var bytes = new byte[CHUNK];
        var reading = new FutureTask<>(() -> body.read(bytes));
        Thread.ofVirtual().start(reading);
        try {
            int length = reading.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return ByteBuffer.wrap(bytes, 0, Math.max(0, length));
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("nothing came for %d ms".formatted(patience.toMillis()));
        } catch (ExecutionException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw new IOException(cause.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
