package dev.outrider.drafter.ensemble;

/// Chooses the drafter of each round of one sequence. Uses finished rounds only, never a token that
/// is being drafted (docs/reference/algorithms.md I1). Confined to one thread.
interface Chooser {
    /// Returns the drafter of the next round: its index, or the number of drafters for plain
    /// decoding.
    int next();

    /// Returns the reason of the last choice, in one or two words.
    String reason();

    /// Learns from the last chosen round.
    ///
    /// @param tokens emitted
    /// @param nanos  time of the round
    void observe(int tokens, double nanos);
}
