package dev.outrider.drafter.medusa;

/// The best tokens of each head for one hidden state.
///
/// @param tokens shape `[heads][ranks]`, the most probable first
/// @param scores their natural-log probabilities in the same places, or their logits if probabilities were not asked for
record Guesses(int[][] tokens, float[][] scores) {}
