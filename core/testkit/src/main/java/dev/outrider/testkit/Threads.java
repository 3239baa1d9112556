package dev.outrider.testkit;

import java.util.ArrayList;
import java.util.List;
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
    /// @throws AssertionError if a task fails; its message says which one and why
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
}
