package dev.outrider.experiment.offset;

/// What the agreement at the offsets says of how a drafter is read.
public enum Alignment {
    /// Guess k is the target's token k.
    RIGHT,

    /// Guess k is the target's token k - 1.
    ONE_BEFORE,

    /// Guess k is the target's token k + 1.
    ONE_AFTER,

    /// No offset agrees clearly more than the others, and than guesses would that know nothing of their place.
    CHANCE
}
