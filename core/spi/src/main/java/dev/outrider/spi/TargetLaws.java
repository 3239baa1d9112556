package dev.outrider.spi;

/// The laws p an acceptance rule works with: the target's distribution at every node, after all processors
/// of the sampling policy with that node's own root path as history (algorithms A0, I3).
///
/// Laws are computed when first asked for and kept for the round. Confined to one thread.
public interface TargetLaws {
    /// Number of tokens V.
    int vocabularySize();

    /// The law of the successors of `node`, shape `[V]`, summing to 1. Shared: must not be written to.
    double[] law(int node);

    /// The tokens that [#law] gives positive probability. Shared, like the law.
    default Support support(int node) {
        return Support.of(law(node));
    }

    /// A copy of [#law] to compute with, shape `[V]`. It may be written to at the tokens of the [#support]
    /// only, and belongs to the rule until it returns: the memory is used again in the next round.
    default double[] copy(int node) {
        return law(node).clone();
    }

    /// Index in the sequence, the prompt included, of a successor of `node`.
    int position(int node);

    /// The most probable successor of `node`, the lowest id among equals. Cheaper than [#law].
    int mode(int node);
}
