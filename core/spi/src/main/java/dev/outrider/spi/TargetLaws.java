package dev.outrider.spi;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The laws p an acceptance rule works with: the target's distribution at every node, after all processors
/// of the sampling policy with that node's own root path as history (docs/algorithms.md I3).
///
/// Laws are computed when first asked for and kept for the round. Confined to one thread.
@API(status = Status.STABLE, since = "2")
public interface TargetLaws {
    /// {@return number of tokens V}
    int vocabularySize();

    /// {@return the law of the successors of `node`, shape `[V]`, summing to 1} Shared: must not be written to.
    ///
    /// @param node index into the draft's tree
    double[] law(int node);

    /// {@return the tokens that [#law] gives positive probability} Shared, like the law.
    ///
    /// @param node index into the draft's tree
    default Support support(int node) {
        return Support.of(law(node));
    }

    /// {@return a copy of [#law] to compute with, shape `[V]`} It may be written to at the tokens of the [#support]
    /// only, and belongs to the rule until it returns: the memory is used again in the next round.
    ///
    /// @param node index into the draft's tree
    default double[] copy(int node) {
        return law(node).clone();
    }

    /// {@return index in the sequence, the prompt included, of a successor of `node`}
    ///
    /// @param node index into the draft's tree
    int position(int node);

    /// {@return the most probable successor of `node`, the lowest id among equals} Cheaper than [#law].
    ///
    /// @param node index into the draft's tree
    int mode(int node);
}
