package dev.outrider.testkit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Runs work on several threads at once. The threads end with the call.
final class Threads {
    private Threads() {}

    /// Starts all tasks at the same moment, each on its own thread.
    ///
    /// @return results in the order of the tasks
    /// @throws AssertionError if a task fails; its message has the task and the reason
    static <T> List<T> together(List<? extends Callable<T>> work) {
        var start = new CyclicBarrier(work.size());
        return run(
                work.stream()
                        .<Callable<T>>map(each ->
                                () -> {
                                    start.await();
                                    return each.call();
                                })
                        .toList());
    }

    /// Runs all tasks on separate threads, one at a time: see [Turns].
    static <T> List<T> inTurns(Turns turns, List<? extends Callable<T>> work) {
        var tasks = new ArrayList<Callable<T>>();
        for (int number = 0; number < work.size(); number++) {
            int own = number;
            tasks.add(() -> turns.run(own, work.get(own)));
        }
        return run(tasks);
    }

    private static <T> List<T> run(List<Callable<T>> work) {
        var tasks = work.stream().map(FutureTask::new).toList();
        var threads = new ArrayList<Thread>();
        for (int number = 0; number < tasks.size(); number++) {
            var thread = new Thread(tasks.get(number), "sequence " + number);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        try {
            var results = new ArrayList<T>();
            for (int number = 0; number < tasks.size(); number++) {
                results.add(result(number, tasks.get(number)));
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sequences ran", e);
        } finally {
            threads.forEach(Thread::interrupt);
        }
    }

    private static <T> T result(int number, FutureTask<T> task) throws InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            var cause = e.getCause() == null ? e : e.getCause();
            throw new AssertionError(
                    "sequence %d failed beside others: %s".formatted(number, cause), cause);
        }
    }

    /// A schedule for threads of which one runs at a time. The running thread gives up its turn
    /// wherever it calls [#pass], and a seeded draw chooses the next thread. So threads meet inside
    /// each other's calls, at the same places with the same seed.
    ///
    /// A thread that waits for a lock of another thread loses its turn, because the holder has to
    /// continue.
    ///
    /// Thread-safe. Other threads are not affected.
    static final class Turns {
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
}
