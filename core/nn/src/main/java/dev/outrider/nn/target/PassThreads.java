package dev.outrider.nn.target;

import dev.outrider.common.Require;
import dev.outrider.nn.vector.VectorNetwork;

/// The number of threads of one pass of a model on the processor, for every back end. Thread-safe.
public final class PassThreads {
    private static volatile int threads;

    private PassThreads() {}

    /// Sets the number for all passes from now on. Starts no engine.
    ///
    /// @param count at least 1
    /// @throws IllegalArgumentException if it is less
    public static void use(int count) {
        Require.that(count >= 1, "threads %d is not positive", count);
        VectorNetwork.useThreads(count);
        threads = count;
    }

    /// Returns the number that was set; 0 if every engine chooses its own.
    public static int threads() {
        return threads;
    }
}
