package dev.outrider.nn.bench;

import dev.outrider.common.Ticker;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/// Repeated measurements of one quantity.
///
/// @param sorted seconds, in ascending order
public record Sample(double[] sorted) {
    /// The fewest turns before a measurement.
    private static final int TURNS = 3;

    /// The shortest time of a warm-up: short passes need many turns before they are compiled.
    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    /// Runs turns before a measurement, until there were enough turns and enough time for the code to be compiled.
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

    /// Returns the shortest time.
    public double best() {
        return sorted[0];
    }

    /// Returns the median.
    public double median() {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
