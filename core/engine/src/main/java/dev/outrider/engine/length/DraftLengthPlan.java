package dev.outrider.engine.length;

import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.function.Supplier;

/// A way of choosing draft lengths, shared by all sequences. Thread-safe.
public interface DraftLengthPlan {
    /// Starts choosing for one sequence.
    DraftLengthPolicy start();

    /// Returns a supplier that starts the sequences of one variant. Plans whose sequences learn from one another override it.
    default Supplier<DraftLengthPolicy> shared() {
        return this::start;
    }

    /// Its name in errors.
    default String name() {
        return getClass().getSimpleName();
    }
}
