package dev.outrider.spi.rule;

import dev.outrider.spi.sampling.Support;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The distributions p that an acceptance rule uses: the target's distribution at every node, after all processors
/// of the sampling policy with that node's own root path as history (docs/reference/algorithms.md I3).
///
/// Distributions are computed at the first request and kept for the round. Confined to one thread.
@API(status = Status.STABLE, since = "2")
public interface TargetDistributions {
    /// {@return number of tokens V}
    int vocabularySize();

    /// {@return the distribution of the successors of `node`, shape `[V]`, summing to 1} Shared: do not write to it.
    ///
    /// @param node index into the draft's tree
    double[] distribution(int node);

    /// {@return the tokens that [#distribution] gives positive probability} Shared, like the distribution.
    ///
    /// @param node index into the draft's tree
    default Support support(int node) {
        return Support.of(distribution(node));
    }

    /// {@return a copy of [#distribution] to compute with, shape `[V]`} It may be written to at the tokens of the [#support]
    /// only, and belongs to the rule until it returns: the memory is used again in the next round.
    ///
    /// @param node index into the draft's tree
    default double[] copy(int node) {
        return distribution(node).clone();
    }

    /// {@return index in the sequence, the prompt included, of a successor of `node`}
    ///
    /// @param node index into the draft's tree
    int position(int node);

    /// {@return the most probable successor of `node`, the lowest id among equals} Cheaper than [#distribution].
    ///
    /// @param node index into the draft's tree
    int mode(int node);
}
