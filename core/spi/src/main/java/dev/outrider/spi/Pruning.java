package dev.outrider.spi;

/// What a drafter does to drawn tokens after it has looked at them. What remains after a choice that read
/// the drawn values does not follow the law it was drawn from, whatever law the drafter states (docs/algorithms.md
/// I1); the engine judges such drafts by rules that need no law.
public enum Pruning {
    /// Nothing: every drawn token stays where it was drawn, or what is left out was chosen before the draw.
    NONE,
    /// Keeps some of the drawn candidates, or orders them anew, by their scores.
    RERANKS,
    /// Stops by leaving out a drawn token it has looked at. Stopping after a token that stays is [#NONE].
    DISCARDS
}
