package dev.outrider.nn.bench;

import dev.outrider.common.Ticker;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/// Repeated measurements of one thing.
///
/// @param sorted seconds, in ascending order
public record Sample(double[] sorted) {
    /// The fewest turns before a measurement.
    private static final int TURNS = 3;

    /// The shortest time: short passes need many turns before the compiler has done its work.
    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    /// Takes turns before a measurement, until enough of them, and enough time, have passed for compiled code to be measured.
    public static void warmUp(Runnable turn, Ticker clock) {
        long start = clock.nanos();
        int done = 0;
        do {
            turn.run();
            done++;
        } while (done < TURNS || clock.nanos() - start < NANOS);
    }

    /// @param seconds in any order; copied
    public static Sample of(double[] seconds) {
        var sorted = seconds.clone();
        Arrays.sort(sorted);
        return new Sample(sorted);
    }

    /// The shortest.
    public double best() {
        return sorted[0];
    }

    /// The one in the middle, or the mean of the two.
    public double median() {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
