package dev.outrider.engine.length;

/// Between which lengths a policy chooses.
final class LengthBounds {
    private LengthBounds() {}

    /// @throws IllegalArgumentException unless they are in order
    static void require(int least, int initial, int most) {
        if (least < 1 || initial < least || most < initial) {
            throw new IllegalArgumentException(
                    "least %d, initial %d and most %d must satisfy 1 <= least <= initial <= most"
                            .formatted(least, initial, most));
        }
    }
}
