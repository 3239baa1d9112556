package dev.outrider.nn.bench;

import dev.outrider.common.Ticker;
import java.util.concurrent.TimeUnit;

/// What comes before a measurement, so that compiled code is measured.
public final class WarmUp {
    /// The fewest turns.
    private static final int TURNS = 3;

    /// The shortest time: short passes need many turns before the compiler has done its work.
    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private WarmUp() {}

    /// Takes turns until enough of them, and enough time, have passed.
    public static void run(Runnable turn, Ticker clock) {
        long start = clock.nanos();
        int done = 0;
        do {
            turn.run();
            done++;
        } while (done < TURNS || clock.nanos() - start < NANOS);
    }
}
