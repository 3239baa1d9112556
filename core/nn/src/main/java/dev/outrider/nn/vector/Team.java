package dev.outrider.nn.vector;

import dev.outrider.common.Require;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// Threads that share the work of each part of a pass and wait for each other after it. They wait in a short spin loop and then
/// yield, because other processes may use the cores, and they sleep between passes. Thread-safe: only one pass at a time has the
/// team.
final class Team {
    private static final int SPINS = 4000;
    private static final int YIELDS = 64;

    private static volatile Team shared = new Team(1);

    private final int threads;
    private final ReentrantLock pass = new ReentrantLock();
    private final AtomicInteger busy = new AtomicInteger();
    private final Worker[] workers;
    private volatile int epoch;
    private volatile boolean dissolved;
    private Work work = (_, _, _) -> {};
    private int parts;
    private volatile Optional<Throwable> failure = Optional.empty();

    /// The work of the threads.
    @FunctionalInterface
    interface Work {
        /// Works on some parts.
        ///
        /// @param worker index of the thread, from 0
        /// @param from   first part
        /// @param end    the part after the last one
        void run(int worker, int from, int end);
    }

    private Team(int threads) {
        this.threads = threads;
        workers = new Worker[threads - 1];
        for (int index = 0; index < workers.length; index++) {
            workers[index] = new Worker(index + 1);
            workers[index].start();
        }
    }

    /// Sets the number of threads of passes from now on.
    static synchronized void use(int threads) {
        Require.that(threads >= 1, "threads %d is not positive", threads);
        if (shared.threads != threads) {
            var before = shared;
            shared = new Team(threads);
            before.dissolve();
        }
    }

    /// Returns the team for a pass. The pass calls [#leave] at its end.
    static Team enter() {
        while (true) {
            var team = shared;
            if (team.threads == 1) {
                return team;
            }
            team.pass.lock();
            if (!team.dissolved) {
                return team;
            }
            team.pass.unlock();
        }
    }

    void leave() {
        if (threads > 1) {
            pass.unlock();
        }
    }

    int threads() {
        return threads;
    }

    /// Returns whether all threads but the calling one sleep, as they do between passes.
    boolean asleep() {
        for (var worker : workers) {
            if (!worker.asleep) {
                return false;
            }
        }
        return true;
    }

    /// Divides parts among all threads, including the calling one, and returns when all parts are done.
    void run(int all, Work shares) {
        if (threads == 1 || all == 1) {
            shares.run(0, 0, all);
            return;
        }
        work = shares;
        parts = all;
        failure = Optional.empty();
        busy.set(workers.length);
        epoch = epoch + 1;
        for (var worker : workers) {
            worker.wake();
        }
        try {
            share(0);
        } finally {
            await();
        }
        failure.ifPresent(Team::rethrow);
    }

    /// Throws a worker's exception or error unchanged, as in a pass with one thread.
    private static void rethrow(Throwable thrown) {
        switch (thrown) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(thrown);
        }
    }

    private void share(int worker) {
        int from = (int) ((long) parts * worker / threads);
        int end = (int) ((long) parts * (worker + 1) / threads);
        if (from < end) {
            work.run(worker, from, end);
        }
    }

    private void await() {
        int waited = 0;
        while (busy.get() > 0) {
            if (waited++ < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    private void dissolve() {
        pass.lock();
        try {
            dissolved = true;
            for (var worker : workers) {
                LockSupport.unpark(worker);
            }
        } finally {
            pass.unlock();
        }
    }

    private final class Worker extends Thread {
        private final int number;
        private volatile boolean asleep;

        Worker(int number) {
            super("outrider-pass-" + number);
            this.number = number;
            setDaemon(true);
        }

        void wake() {
            if (asleep) {
                LockSupport.unpark(this);
            }
        }

        @Override
        public void run() {
            int seen = 0;
            while (next(seen)) {
                seen++;
                try {
                    share(number);
                } catch (RuntimeException | Error e) {
                    failure = Optional.of(e);
                } finally {
                    busy.decrementAndGet();
                }
            }
        }

        private boolean next(int seen) {
            int waited = 0;
            while (epoch == seen && !dissolved) {
                waited++;
                if (waited < SPINS) {
                    onSpinWait();
                } else if (waited < SPINS + YIELDS) {
                    Thread.yield();
                } else {
                    asleep = true;
                    if (epoch == seen && !dissolved) {
                        LockSupport.park(Team.this);
                    }
                    asleep = false;
                }
            }
            return !dissolved;
        }
    }
}
