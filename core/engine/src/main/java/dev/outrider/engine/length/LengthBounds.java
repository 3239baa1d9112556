package dev.outrider.engine.length;

import dev.outrider.common.Require;

/// The bounds of the lengths that a policy chooses.
final class LengthBounds {
    private LengthBounds() {}

    /// @throws IllegalArgumentException unless they are in order
    static void require(int min, int initial, int max) {
        Require.that(
                min >= 1 && initial >= min && max >= initial,
                "min %d, initial %d and max %d must satisfy 1 <= min <= initial <= max",
                min,
                initial,
                max);
    }
}
