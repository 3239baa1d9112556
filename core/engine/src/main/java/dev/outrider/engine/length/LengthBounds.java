package dev.outrider.engine.length;

/// Between which lengths a policy chooses.
final class LengthBounds {
    private LengthBounds() {}

    /// @throws IllegalArgumentException unless they are in order
    static void require(int min, int initial, int max) {
        if (min < 1 || initial < min || max < initial) {
            throw new IllegalArgumentException(
                    "min %d, initial %d and max %d must satisfy 1 <= min <= initial <= max"
                            .formatted(min, initial, max));
        }
    }
}
