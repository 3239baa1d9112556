package dev.outrider.engine.decode;

import dev.outrider.common.Ticker;
import dev.outrider.engine.check.GuardedSession;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession.ParallelDrafting.Upcoming;
import dev.outrider.spi.sampling.Randomness;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// Has one session work ahead while the target scores its draft. The session is handed to the other thread and taken back: no other thread
/// calls it in between, and each side sees what the other wrote.
///
/// Confined to the session's thread.
///
/// @see "Liu et al. 2024 (PEARL), post-verify; Kumar et al. 2026 (Saguaro), the speculation cache"
final class DraftingAhead implements AutoCloseable {
    private final GuardedSession session;
    private final Consumer<Upcoming> work;
    private final Overlap how;
    private final Ticker ticker;
    private final Optional<ExecutorService> thread;
    private Optional<Running> running = Optional.empty();

    /// Work that has begun.
    private static final class Running {
        volatile boolean wanted = true;
        volatile long nanos;
        Optional<Future<?>> done = Optional.empty();
    }

    /// @param session whose work it is
    /// @param work    as [GuardedSession#parallelDrafting] gave it
    /// @param how     beside the target or before it
    /// @param ticker  clock of the work; asked on the other thread too
    DraftingAhead(GuardedSession session, Consumer<Upcoming> work, Overlap how, Ticker ticker) {
        this.session = session;
        this.work = work;
        this.how = how;
        this.ticker = ticker;
        this.thread =
                how.beside()
                        ? Optional.of(
                                Executors.newSingleThreadExecutor(
                                        Thread.ofPlatform()
                                                .name("outrider-ahead")
                                                .daemon()
                                                .factory()))
                        : Optional.empty();
    }

    /// Begins the work for the next round. [#end] follows before anything else of the session is called.
    ///
    /// @param budget what is known of the next budget, as [Upcoming] says; asked on the other thread
    /// @param next   asked on the other thread
    void begin(IntFunction<DraftBudget> budget, Randomness ending, Supplier<Randomness> next) {
        var begun = new Running();
        var upcoming = new Upcoming(budget, ending, next, () -> begun.wanted);
        Runnable timed =
                () -> {
                    long start = ticker.nanos();
                    try {
                        work.accept(upcoming);
                    } finally {
                        begun.nanos = ticker.nanos() - start;
                    }
                };
        running = Optional.of(begun);
        if (thread.isPresent()) {
            begun.done = Optional.of(thread.get().submit(timed));
        } else {
            session.endAhead(timed);
        }
    }

    /// Tells the work that it is no longer wanted, and waits for its end.
    ///
    /// @return nanoseconds that the work took beside the target; 0 if there was none
    /// @throws dev.outrider.spi.error.OutriderException the work's failure, if the request is to stop
    long end() {
        var begun = running;
        running = Optional.empty();
        begun.ifPresent(each -> {
            each.wanted = false;
            each.done.ifPresent(done -> session.endAhead(() -> await(done)));
        });
        return how.beside() ? begun.map(each -> each.nanos).orElse(0L) : 0;
    }

    /// Waits without a limit: the session must not be used before.
    private static void await(Future<?> done) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    done.get();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    switch (e.getCause()) {
                        case RuntimeException failure -> throw failure;
                        case Error failure -> throw failure;
                        case null, default -> throw new IllegalStateException(e);
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Waits for work whose result was not used.
    @Override
    public void close() {
        try {
            end();
        } finally {
            thread.ifPresent(ExecutorService::shutdown);
        }
    }
}
