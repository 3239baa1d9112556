package dev.outrider.hub;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The body of a response as it arrives, read by one thread. A server that sends nothing for
/// too long causes a timeout; the whole transfer has no time limit.
final class ArrivingBytes implements BodySubscriber<ArrivingBytes>, AutoCloseable {
    /// A closed subscription, before or after the first byte.
    private static final Subscription CLOSED =
            new Subscription() {
                @Override
                public void request(long count) {}

                @Override
                public void cancel() {}
            };

    /// May be read and closed before the body is offered.
    private final AtomicReference<@Nullable Subscription> source = new AtomicReference<>();

    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();

    private sealed interface Arrival {
        record Some(List<ByteBuffer> bytes) implements Arrival {}

        record End() implements Arrival {}

        record Cut(Throwable cause) implements Arrival {}
    }

    @Override
    public CompletionStage<ArrivingBytes> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        if (source.compareAndSet(null, subscription)) {
            subscription.request(1);
        } else {
            subscription.cancel();
        }
    }

    @Override
    public void onNext(List<ByteBuffer> bytes) {
        arrivals.add(new Arrival.Some(bytes));
    }

    @Override
    public void onError(Throwable cause) {
        arrivals.add(new Arrival.Cut(cause));
    }

    @Override
    public void onComplete() {
        arrivals.add(new Arrival.End());
    }

    /// Returns the next bytes; nothing at the end.
    ///
    /// @param patience how long to wait for it
    List<ByteBuffer> next(Duration patience) throws IOException {
        return switch (await(patience)) {
            case Arrival.Some some -> {
                Objects.requireNonNull(source.get()).request(1);
                yield some.bytes();
            }
            case Arrival.End _ -> List.of();
            case Arrival.Cut cut -> throw new IOException(cut.cause().getMessage(), cut.cause());
        };
    }

    private Arrival await(Duration patience) throws IOException {
        try {
            var arrival = arrivals.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (arrival == null) {
                throw new HttpTimeoutException(
                        "nothing came for %d ms".formatted(patience.toMillis()));
            }
            return arrival;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        var subscription = source.getAndSet(CLOSED);
        if (subscription != null) {
            subscription.cancel();
        }
    }
}
