package dev.outrider.cli;

import dev.outrider.testkit.SuiteRunner;
import dev.outrider.testkit.SuiteRunner.Outcome;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Threads that somebody started and did not end.
final class LeftoverThreads {
    /// Threads of the JDK, of the tensor engine and of the check itself, by the beginning of their names.
    private static final List<String> OURS =
            List.of(
                    "check ",
                    "ForkJoinPool",
                    "Cleaner",
                    "Common-Cleaner",
                    "JNA Cleaner",
                    "process reaper");

    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());

    /// What is left of the threads that were started since this was made.
    SuiteRunner.Result result() {
        var left =
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !before.contains(thread) && !isOurs(thread))
                        .filter(thread -> !ends(thread))
                        .map(Thread::getName)
                        .sorted()
                        .collect(Collectors.joining(", "));
        return new SuiteRunner.Result(
                "everyThreadEndsWithTheDrafter",
                left.isEmpty() ? Outcome.KEPT : Outcome.BROKEN,
                left.isEmpty() ? "" : "still running after close(): " + left);
    }

    private static boolean isOurs(Thread thread) {
        return OURS.stream().anyMatch(thread.getName()::startsWith);
    }

    private static boolean ends(Thread thread) {
        try {
            return thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
