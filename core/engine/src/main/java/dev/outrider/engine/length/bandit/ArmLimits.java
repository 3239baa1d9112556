package dev.outrider.engine.length.bandit;

/// How many lengths a bandit may choose from.
final class ArmLimits {
    private static final int GREATEST = 64;

    private ArmLimits() {}

    /// @throws IllegalArgumentException if they are too few or too many
    static void requireMost(int most) {
        if (most < 1 || most > GREATEST) {
            throw new IllegalArgumentException(
                    "most %d must be between 1 and %d".formatted(most, GREATEST));
        }
    }
}
