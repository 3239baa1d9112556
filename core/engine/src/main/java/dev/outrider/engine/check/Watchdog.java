package dev.outrider.engine.check;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Interrupts a thread whose call takes too long. Owns a daemon thread until it is closed.
///
/// An interrupt ends sleeping, waiting, and input that can be interrupted; code that never looks at it runs on, and no thread of
/// the JDK can be ended from outside.
final class Watchdog implements AutoCloseable {
    private final Duration limit;
    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(work -> {
                var thread = new Thread(work, "drafter-watchdog");
                thread.setDaemon(true);
                return thread;
            });

    Watchdog(Duration limit) {
        this.limit = limit;
    }

    /// Watches the calling thread from now on.
    Watch watch() {
        var watch = new Watch(Thread.currentThread());
        executor.schedule(watch::expire, limit.toNanos(), TimeUnit.NANOSECONDS);
        return watch;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    /// One call that is watched.
    static final class Watch {
        private final Thread watched;
        private boolean over;
        private boolean expired;

        private Watch(Thread watched) {
            this.watched = watched;
        }

        private synchronized void expire() {
            if (!over) {
                expired = true;
                watched.interrupt();
            }
        }

        /// The call has ended: it is not interrupted any more, and an interrupt of this watch is forgotten.
        ///
        /// @return whether it took too long
        synchronized boolean end() {
            over = true;
            if (expired) {
                Thread.interrupted();
            }
            return expired;
        }
    }
}
