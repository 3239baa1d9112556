package dev.outrider.experiment.costs;

/// What the engine does in a round beside draft and pass: `round + row * rows` nanoseconds, for distributions of more rows take longer.
///
/// @param round of every round
/// @param row   of each row of the pass, the root's included
public record EngineCost(double round, double row) {
    /// Nothing.
    public static final EngineCost FREE = new EngineCost(0, 0);

    public EngineCost {
        if (!(round >= 0 && row >= 0 && round + row < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "the engine takes %s a round and %s a row, expected times"
                            .formatted(round, row));
        }
    }

    /// Nanoseconds of a round.
    ///
    /// @param rows of its pass
    public double of(int rows) {
        return round + row * rows;
    }
}
