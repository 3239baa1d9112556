package dev.outrider.drafting.head;

import java.util.List;

/// Loaded heads that read the tokens drafted before as a *state*: an array, whose size the heads choose, that a token turns
/// into another. [SequenceDrafter] drafts with them. Thread-safe.
public interface SequenceHeads extends AutoCloseable {
    /// Returns the greatest number of guesses in a row.
    int guesses();

    /// Returns the numbers in a row of logits.
    int vocabulary();

    /// Returns what reads the target's states of a new sequence.
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
    /// @param tokens as many, of the target's vocabulary
    List<float[]> after(List<float[]> states, int[] tokens);

    /// Computes the logits of the next token.
    ///
    /// @param guess  which guess in a row it is, below [#guesses]; 0 follows the root
    /// @param states after the tokens before
    /// @param logits gets `[states.size(), vocabulary()]`
    void logits(int guess, List<float[]> states, float[] logits);

    /// Releases the weights. Idempotent.
    @Override
    void close();
}
