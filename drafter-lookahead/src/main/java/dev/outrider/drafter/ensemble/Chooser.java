package dev.outrider.drafter.ensemble;

/// Chooses who drafts the rounds of one sequence. Sees finished rounds only, never a token that is being drafted (docs/reference/algorithms.md I1).
/// Confined to one thread.
interface Chooser {
    /// Who drafts the next round: a drafter's number, or theirs for nobody.
    int next();

    /// Why the last answer of [#next] was what it was, in a word or two.
    String reason();

    /// Learns what the round chosen for last gave.
    ///
    /// @param tokens emitted
    /// @param nanos  that it took
    void observe(int tokens, double nanos);
}
