package dev.outrider.drafter.lookup;

import dev.outrider.spi.target.TargetScores;

/// Likely successors of contexts, which are the last few tokens of a text. It learns from texts and
/// from the target's scores, never from mere guesses, so nothing is rolled back. Confined to one
/// thread.
public interface SuccessorStore {
    /// Returns the maximum context length that is used, at least 1. Contexts are no longer than
    /// that, and shorter at the beginning of a text.
    int contextLength();

    /// Returns the likely successors, best first and each once; empty if unknown.
    int[] successors(int[] context);

    /// Learns that `token` came after `context` in a given text.
    void saw(int[] context, int token);

    /// Learns that `token` came after `context` in the generated text.
    default void wrote(int[] context, int token) {
        saw(context, token);
    }

    /// Learns from the target's scores of a node.
    ///
    /// @param context tokens that end with the node's own
    void scored(int[] context, TargetScores scores, int node);

    /// Returns an independent copy.
    SuccessorStore copy();

    /// Returns the memory in bytes, without object headers.
    long bytes();
}
