package dev.outrider.cli;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Records whether the user has pressed Ctrl-C. Long commands check it between steps, keep their results and return.
///
/// Thread-safe.
final class Interruption {
    private static final int PATIENCE_SECONDS = 30;

    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile boolean requested;

    /// Returns whether work should stop.
    boolean requested() {
        return requested;
    }

    /// Requests that work stops.
    void request() {
        requested = true;
    }

    /// Called when the command has ended; the process may end now.
    void finished() {
        finished.countDown();
    }

    /// From now on an interrupt signal asks the command to stop, and delays the end of the process until it has.
    void listen() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stopCommand, "interruption"));
    }

    /// Reports a foreign exit and ends the process with a failure.
    private static void fail(ForeignExit exit) {
        System.err.println(exit.message());
        System.err.flush();
        Runtime.getRuntime().halt(ExitCode.FAILURE);
    }

    private void stopCommand() {
        if (finished.getCount() > 0) {
            ForeignExit.find().ifPresent(Interruption::fail);
        }
        request();
        try {
            if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("outrider: the command did not stop in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// A call of `System.exit` during a command. No part of Outrider calls it, so it comes from a plugin.
    ///
    /// @param place the caller, such as `com.example.EchoSession.propose(EchoSession.java:12)`
    /// @param owner the owner of that code, such as `plugin 'echo'`
    record ForeignExit(String place, String owner) {
        private static final String LOADER = "plugin-";

        /// Returns the caller of `System.exit` that is waiting for the process to end; empty if a signal ends the process.
        static Optional<ForeignExit> find() {
            return Thread.getAllStackTraces().values().stream()
                    .flatMap(stack -> caller(stack).stream())
                    .findFirst();
        }

        private static Optional<ForeignExit> caller(StackTraceElement[] stack) {
            boolean exits =
                    Arrays.stream(stack)
                            .anyMatch(frame ->
                                    isRuntime(frame) && frame.getMethodName().equals("exit"));
            return exits
                    ? Arrays.stream(stack)
                            .dropWhile(frame -> !isRuntime(frame))
                            .dropWhile(frame -> frame.getClassName().startsWith("java.lang."))
                            .findFirst()
                            .map(ForeignExit::of)
                    : Optional.empty();
        }

        private static boolean isRuntime(StackTraceElement frame) {
            return frame.getClassName().equals("java.lang.Runtime");
        }

        private static ForeignExit of(StackTraceElement frame) {
            var place =
                    "%s.%s(%s:%d)"
                            .formatted(
                                    frame.getClassName(),
                                    frame.getMethodName(),
                                    frame.getFileName(),
                                    frame.getLineNumber());
            return new ForeignExit(
                    place,
                    Optional.ofNullable(frame.getClassLoaderName())
                            .filter(loader -> loader.startsWith(LOADER))
                            .map(loader ->
                                    "plugin '%s'".formatted(loader.substring(LOADER.length())))
                            .orElse("unknown code"));
        }

        /// Returns the error message.
        String message() {
            return "PLUGIN_FAILED: %s ended the program with System.exit in %s%n  Report it to its author. What was measured until then is kept."
                    .formatted(owner, place)
                    .replace("\r\n", "\n");
        }
    }
}
