package dev.outrider.engine.check;

import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Access of one thread to what belongs to another, for as long as one call lasts. The owner does the reading while it waits for the
/// call; whoever asks after the call is refused, so nothing that was lent is touched once the owner goes on.
///
/// Thread-safe.
final class Loan {
    private final LinkedBlockingQueue<FutureTask<?>> asked = new LinkedBlockingQueue<>();
    private boolean over;

    /// Has the owner do something, and waits for it.
    ///
    /// @throws OutriderException `CONTRACT_BROKEN` if the call is over
    <T> T ask(Supplier<T> reading) {
        var task = new FutureTask<T>(reading::get);
        synchronized (this) {
            requireCurrent();
            asked.add(task);
        }
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException problem) {
                throw problem;
            }
            throw new IllegalStateException(e.getCause());
        } catch (CancellationException e) {
            throw over();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading what was lent", e);
        }
    }

    /// Does something that may be done by any thread, but by one at a time and not after the call.
    ///
    /// @throws OutriderException `CONTRACT_BROKEN` if the call is over
    synchronized <T> T use(Supplier<T> use) {
        requireCurrent();
        return use.get();
    }

    /// Does the next thing that was asked for. For the owner.
    ///
    /// @param nanos longest time to wait
    /// @return whether something was done, or the call is over
    boolean serve(long nanos) throws InterruptedException {
        var task = asked.poll(nanos, TimeUnit.NANOSECONDS);
        if (task == null) {
            return false;
        }
        task.run();
        return true;
    }

    /// The call is over. Idempotent.
    void end() {
        synchronized (this) {
            over = true;
        }
        for (var task = asked.poll(); task != null; task = asked.poll()) {
            task.cancel(false);
        }
        asked.add(new FutureTask<>(() -> true));
    }

    private void requireCurrent() {
        if (over) {
            throw over();
        }
    }

    private static OutriderException over() {
        return new OutriderException(
                ErrorCode.CONTRACT_BROKEN,
                "a drafter read what it was lent after the call that lent it",
                "This is a bug in the drafter: it has to keep a copy of its own.");
    }
}
