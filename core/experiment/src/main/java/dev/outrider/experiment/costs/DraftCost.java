package dev.outrider.experiment.costs;

/// What a draft costs: `round + step * depth` nanoseconds.
///
/// @param round  of every round with a draft, whatever its depth
/// @param step   of each level of the draft
/// @param origin where the numbers are from, for people
public record DraftCost(double round, double step, String origin) {
    public DraftCost {
        if (!(round >= 0 && step >= 0 && round + step < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "a draft costs %s a round and %s a step, expected times"
                            .formatted(round, step));
        }
    }

    /// Nanoseconds of a draft.
    ///
    /// @param depth of the draft; 0 where there was none
    public double of(int depth) {
        return depth == 0 ? 0 : round + step * depth;
    }
}
