package dev.outrider.testkit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/// A schedule for threads of which one runs at a time. The running thread gives up its turn
/// wherever it calls [#pass], and a seeded draw chooses the next thread. So threads meet inside
/// each other's calls, at the same places with the same seed.
///
/// A thread that waits for a lock of another thread loses its turn, because the holder has to
/// continue.
///
/// Thread-safe. Other threads are not affected.
final class Turns {
    /// The JVM does not report that a thread has begun to wait for a lock, so the others check
    /// periodically.
    private static final long LOOK_MILLIS = 2;

    private final SplittableRandom random;
    private final int threads;
    private final List<Thread> here = new ArrayList<>();
    private final Set<Thread> ready = new HashSet<>();
    private boolean begun;
    private volatile Optional<Thread> turn = Optional.empty();
    private volatile boolean running;

    /// @param threads number of threads that call [#run]; the first turn begins when all have
    ///     called
    Turns(long seed, int threads) {
        this.random = new SplittableRandom(seed);
        this.threads = threads;
    }

    /// Runs a task in turns with the other threads.
    ///
    /// @param number index of the calling thread, from 0
    <T> T run(int number, Callable<T> work) throws Exception {
        arrive(number);
        try {
            return work.call();
        } finally {
            leave();
        }
    }

    /// Gives up the turn and waits for the next one.
    void pass() {
        stop();
        synchronized (this) {
            if (here.contains(Thread.currentThread())) {
                if (isMine()) {
                    turn = Optional.empty();
                }
                awaitTurn();
            }
        }
    }

    private synchronized void arrive(int number) throws InterruptedException {
        while (here.size() < number) {
            wait();
        }
        here.add(Thread.currentThread());
        notifyAll();
        awaitTurn();
    }

    private void leave() {
        stop();
        synchronized (this) {
            here.remove(Thread.currentThread());
            if (isMine()) {
                choose();
            }
        }
    }

    /// Called before the lock is taken: waiting for this schedule's own lock is not waiting for
    /// another thread.
    private void stop() {
        if (isMine()) {
            running = false;
        }
    }

    private boolean isMine() {
        return turn.filter(Thread.currentThread()::equals).isPresent();
    }

    /// Chooses one of the threads that wait for their turn and not for a lock. If there is none,
    /// the next thread that arrives gets the turn.
    private void choose() {
        var able = here.stream().filter(ready::contains).toList();
        turn =
                able.isEmpty()
                        ? Optional.empty()
                        : Optional.of(able.get(random.nextInt(able.size())));
        running = false;
        notifyAll();
    }

    private void awaitTurn() {
        ready.add(Thread.currentThread());
        if (turn.isEmpty() && (begun || ready.size() == threads)) {
            begun = true;
            choose();
        }
        try {
            while (!isMine()) {
                wait(LOOK_MILLIS);
                if (turn.filter(Turns::waits).isPresent() && running) {
                    choose();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a turn", e);
        } finally {
            ready.remove(Thread.currentThread());
        }
        running = true;
    }

    private static boolean waits(Thread thread) {
        return switch (thread.getState()) {
            case BLOCKED, WAITING, TIMED_WAITING -> true;
            case NEW, RUNNABLE, TERMINATED -> false;
        };
    }
}
