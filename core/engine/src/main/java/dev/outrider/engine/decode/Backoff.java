package dev.outrider.engine.decode;

import java.util.concurrent.TimeUnit;

/// When helpers are worth calling. Helpers that keep a rule waiting have no core to run on. One such round happens on any machine; where they
/// follow each other, helpers are left alone for 1, 4, 16 and then 64 rounds.
///
/// Confined to one thread.
final class Backoff {
    /// Nobody waits so long for a helper that runs.
    private static final long STALLED = TimeUnit.MICROSECONDS.toNanos(500);

    private static final int LONGEST = 64;
    private static final int FACTOR = 4;

    /// Rounds without waiting after which all is forgotten.
    private static final int CALM = 16;

    private int next = 1;
    private int left;
    private int calm;

    /// Whether helpers are to be called in this round.
    boolean tries() {
        if (left > 0) {
            left--;
            return false;
        }
        return true;
    }

    /// Notes a round with helpers.
    ///
    /// @param nanos how long the rule waited for them
    void waited(long nanos) {
        if (nanos > STALLED) {
            left = next;
            next = Math.min(LONGEST, FACTOR * next);
            calm = 0;
        } else if (++calm == CALM) {
            next = 1;
        }
    }
}
