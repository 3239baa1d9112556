package dev.outrider.drafter.bandit;

/// How many lengths a bandit may choose from.
final class ArmLimits {
    private static final int GREATEST = 64;

    private ArmLimits() {}

    /// @throws IllegalArgumentException if they are too few or too many
    static void requireMax(int max) {
        if (max < 1 || max > GREATEST) {
            throw new IllegalArgumentException(
                    "max %d must be between 1 and %d".formatted(max, GREATEST));
        }
    }
}
