package dev.outrider.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Whether the user has pressed Ctrl-C. Long commands ask between steps, keep what they have and return.
///
/// Thread-safe.
final class Interruption {
    private static final int PATIENCE_SECONDS = 30;

    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile boolean requested;

    /// Whether work should stop.
    boolean requested() {
        return requested;
    }

    /// Asks work to stop.
    void request() {
        requested = true;
    }

    /// The command has ended; the process may.
    void finished() {
        finished.countDown();
    }

    /// From now on an interrupt signal asks the command to stop and holds the process until it has.
    void listen() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stopCommand, "interruption"));
    }

    /// A command that somebody cut off has not succeeded, whatever code he gave.
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
}
