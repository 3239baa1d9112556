package dev.outrider.drafter.lookup;

import dev.outrider.spi.target.TargetScores;

/// What is known of the tokens that are likely after a context, the last few tokens of a text. It learns what a text says
/// and what the target says, never what was merely guessed, so nothing is ever rolled back. Confined to one thread.
public interface SuccessorStore {
    /// Most tokens of a context that matter, at least 1. Contexts are given no longer than that, and shorter where the
    /// text begins.
    int contextLength();

    /// The likely successors, best first and each once; none where nothing is known.
    int[] successors(int[] context);

    /// Learns that `token` came after `context` in a text that was given.
    void saw(int[] context, int token);

    /// Learns that `token` came after `context` in the text that is being written.
    default void wrote(int[] context, int token) {
        saw(context, token);
    }

    /// Learns from what the target says of the successors of a node.
    ///
    /// @param context tokens that end with the node's own
    void scored(int[] context, TargetScores scores, int node);

    /// A store that knows the same and shares nothing with this one.
    SuccessorStore copy();

    /// Memory held, in bytes, object headers left out.
    long bytes();
}
