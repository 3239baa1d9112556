package dev.outrider.engine.length;

/// A way of choosing draft lengths, shared by all sequences. Thread-safe.
public interface DraftLengthPlan {
    /// Starts choosing for one sequence.
    DraftLength start();
}
