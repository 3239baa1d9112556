package dev.outrider.engine.check;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/// A daemon thread for somebody else's code, which the caller can leave behind when it does not come back.
///
/// A call that takes longer than the limit is interrupted; one that has not ended after the limit once more is left: its thread
/// runs on, and no call is made on it any more. While a call lasts, the caller reads for it what it was lent ([Loan]).
///
/// All methods are for the one thread that calls. Owns its thread until it is closed or left.
final class OwnThread implements AutoCloseable {
    private final Duration limit;
    private final BlockingQueue<Runnable> calls = new LinkedBlockingQueue<>();
    private final Thread thread;
    private Loan loan = new Loan();
    private boolean left;
    private volatile boolean closed;

    /// Starts the thread.
    ///
    /// @param name  of the thread
    /// @param limit longest time for a call, and for what follows the interrupt
    OwnThread(String name, Duration limit) {
        this.limit = limit;
        this.thread = new Thread(this::work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /// When a call ended.
    enum Ending {
        /// Within the limit.
        IN_TIME,
        /// After it was interrupted.
        LATE,
        /// It did not, and was left behind.
        LEFT
    }

    /// What a call came to.
    ///
    /// @param result  what it returned, if it did
    /// @param failure what it threw, if it did
    record Answer<T>(Ending ending, Optional<T> result, Optional<Throwable> failure) {}

    /// What is lent to the next call, and read by the caller while the call lasts.
    Loan loan() {
        return loan;
    }

    /// Calls, and waits as long as it is worth waiting.
    ///
    /// @throws IllegalStateException if an earlier call was left
    <T> Answer<T> call(Supplier<T> work) {
        if (left) {
            throw new IllegalStateException("an earlier call was left behind");
        }
        var current = loan;
        var task =
                new FutureTask<T>(work::get) {
                    @Override
                    protected void done() {
                        current.end();
                    }
                };
        calls.add(task);
        var ending = wait(task, current);
        current.end();
        loan = new Loan();
        if (ending == Ending.LEFT) {
            left = true;
            return new Answer<>(ending, Optional.empty(), Optional.empty());
        }
        return answer(task, ending);
    }

    private Ending wait(FutureTask<?> task, Loan current) {
        boolean late = false;
        boolean interrupted = false;
        long end = System.nanoTime() + limit.toNanos();
        try {
            while (!task.isDone()) {
                try {
                    if (!current.serve(end - System.nanoTime()) && !task.isDone()) {
                        if (late) {
                            return Ending.LEFT;
                        }
                        late = true;
                        thread.interrupt();
                        end = System.nanoTime() + limit.toNanos();
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                    thread.interrupt();
                }
            }
            return late ? Ending.LATE : Ending.IN_TIME;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static <T> Answer<T> answer(FutureTask<T> done, Ending ending) {
        return done.state() == Future.State.SUCCESS
                ? new Answer<>(ending, Optional.ofNullable(done.resultNow()), Optional.empty())
                : new Answer<>(ending, Optional.empty(), Optional.of(done.exceptionNow()));
    }

    /// Whether a call was left behind.
    boolean left() {
        return left;
    }

    /// Does something after the call that was left behind, should that ever end.
    void afterwards(Runnable work) {
        calls.add(work);
    }

    private void work() {
        while (!(closed && calls.isEmpty())) {
            try {
                calls.take().run();
            } catch (InterruptedException e) {
                // An interrupt that came after the call it was meant for.
                continue;
            }
            Thread.interrupted();
        }
    }

    /// Ends the thread once nothing is left to do.
    @Override
    public void close() {
        closed = true;
        calls.add(() -> {});
    }
}
