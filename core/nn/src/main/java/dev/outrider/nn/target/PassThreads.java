package dev.outrider.nn.target;

import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.vector.VectorNetwork;

/// How many threads one pass of a model on the processor has, whatever runs it.
public final class PassThreads {
    private PassThreads() {}

    /// Sets it for all passes from now on. Starts no tensor engine.
    ///
    /// @param threads at least 1
    public static void use(int threads) {
        TensorRuntime.useThreads(threads);
        VectorNetwork.useThreads(threads);
    }
}
