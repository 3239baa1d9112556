package dev.outrider.engine.length.tree;

import dev.outrider.engine.length.Average;
import dev.outrider.engine.model.PositionalAcceptance;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.List;

/// How often the child of each rank is the accepted one, among the accepted nodes that had a child of this rank: exponential averages, so that
/// trees of different widths count together and old text is forgotten. Not thread-safe.
///
/// @see "Chen et al. 2024 (Sequoia), definition 3.1: positional acceptance"
final class RankRates {
    /// Share of the past that a node leaves.
    private static final double MEMORY = 0.998;

    private static final int NONE = -1;

    private final List<Average> ranks = new ArrayList<>();

    /// Learns from a round.
    void observe(TokenTree tree, Verdict verdict) {
        int node = 0;
        for (int child : verdict.acceptedNodes()) {
            offered(tree.candidates(node), child);
            node = child;
        }
        offered(tree.candidates(node), NONE);
    }

    private void offered(int[] children, int accepted) {
        for (int rank = 0; rank < children.length; rank++) {
            if (rank == ranks.size()) {
                ranks.add(new Average(MEMORY));
            }
            ranks.get(rank).add(children[rank] == accepted ? 1 : 0);
        }
    }

    /// Acceptance by rank. The ranks were not offered equally often, so their rates may add up to a little more than 1, and are scaled then.
    ///
    /// @throws IllegalArgumentException if nothing was offered
    PositionalAcceptance acceptance() {
        var rates = ranks.stream().map(Average::value).toList();
        double sum = rates.stream().mapToDouble(Double::doubleValue).sum();
        return new PositionalAcceptance(
                sum > 1 ? rates.stream().map(rate -> rate / sum).toList() : rates);
    }
}
