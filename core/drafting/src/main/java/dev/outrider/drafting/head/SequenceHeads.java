package dev.outrider.drafting.head;

import java.util.List;

/// Loaded heads that read the tokens drafted before as a *state*: an array, of a size that the heads choose. Each token turns a
/// state into a new one. [SequenceDrafter] drafts with them. Thread-safe.
public interface SequenceHeads extends AutoCloseable {
    /// Returns the greatest number of guesses in a row.
    int guesses();

    /// Returns the size of a row of logits.
    int vocabulary();

    /// Returns a reader of the target's states of a new sequence.
    ///
    /// @param capacity greatest number of tokens of the sequence
    default StateReader reader(int capacity) {
        return StateReader.ofLast();
    }

    /// Returns the state before the root.
    ///
    /// @param hidden state of the token before the root, from the [StateReader], `[d]`
    float[] start(float[] hidden);

    /// Returns states with one more token each.
    ///
    /// @param states of one length
    /// @param tokens one per state, of the target's vocabulary
    List<float[]> after(List<float[]> states, int[] tokens);

    /// Computes the logits of the next token.
    ///
    /// @param guess  number of the guess in its chain, below [#guesses]; 0 follows the root
    /// @param states after the tokens before
    /// @param logits receives `[states.size(), vocabulary()]`
    void logits(int guess, List<float[]> states, float[] logits);

    /// Releases the weights. Idempotent.
    @Override
    void close();
}
