package dev.outrider.engine.length;

import dev.outrider.spi.run.DraftLengthPolicy;

/// A way of choosing draft lengths, shared by all sequences. Thread-safe.
public interface DraftLengthPlan {
    /// Starts choosing for one sequence.
    DraftLengthPolicy start();

    /// How errors call it.
    default String name() {
        return getClass().getSimpleName();
    }
}
