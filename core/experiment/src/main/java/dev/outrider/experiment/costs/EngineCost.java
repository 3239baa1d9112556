package dev.outrider.experiment.costs;

/// What the engine does in a round beside draft and pass: `round + level * depth` nanoseconds, for a rule looks at the distributions of a path,
/// not at those of every node.
///
/// @param round of every round
/// @param level of each level of the draft
public record EngineCost(double round, double level) {
    /// Nothing.
    public static final EngineCost FREE = new EngineCost(0, 0);

    public EngineCost {
        if (!(round >= 0 && level >= 0 && round + level < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "the engine takes %s a round and %s a level, expected times"
                            .formatted(round, level));
        }
    }

    /// Nanoseconds of a round.
    ///
    /// @param depth of its draft
    public double of(int depth) {
        return round + level * depth;
    }
}
