package dev.outrider.drafter.medusa.sequence;

import java.util.List;

/// Loaded heads that see the tokens drafted before. What they see is a *state*, an array that a token turns into another; its
/// size is the heads' own affair. Thread-safe.
interface SequenceHeads extends AutoCloseable {
    /// Most guesses in a row.
    int guesses();

    /// Numbers in a row of logits.
    int vocabulary();

    /// The state before the root.
    ///
    /// @param hidden the target's hidden state after the final norm at the token before the root, `[d]`
    float[] start(float[] hidden);

    /// States with one more token each.
    ///
    /// @param states of one length
    /// @param tokens as many, of the target's vocabulary
    List<float[]> after(List<float[]> states, int[] tokens);

    /// Logits of what follows.
    ///
    /// @param guess  which guess in a row it is, below [#guesses]; 0 follows the root
    /// @param states after the tokens before
    /// @param logits gets `[states.size(), vocabulary()]`
    void logits(int guess, List<float[]> states, float[] logits);

    /// Releases the weights. Idempotent.
    @Override
    void close();
}
