package dev.outrider.drafter.medusa;

import java.lang.foreign.MemorySegment;

/// Loaded heads. Thread-safe.
interface Heads extends AutoCloseable {
    /// Number of heads: how many tokens ahead they guess.
    int count();

    /// Runs all heads on one hidden state. Head i guesses the token i + 2 places after its position.
    ///
    /// @param hidden        the target's hidden state after the final norm, `[hiddenSize]` 32-bit floats in native memory
    /// @param ranks         tokens wanted of each head, at least 1; fewer come if there are fewer
    /// @param probabilities whether scores are log probabilities, which costs a pass over all logits
    Guesses guess(MemorySegment hidden, int ranks, boolean probabilities);

    /// Releases the weights. Idempotent.
    @Override
    void close();
}
