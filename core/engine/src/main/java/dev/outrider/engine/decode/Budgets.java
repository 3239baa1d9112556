package dev.outrider.engine.decode;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.tree.TreeShape;

/// The budget of a draft: the part of the drafter's limits that is useful in a round.
public final class Budgets {
    private Budgets() {}

    /// The budget of one draft.
    ///
    /// @param traits what the drafter can do
    /// @param wanted greatest depth that is wanted
    /// @param useful greatest depth at which a guess can still be emitted, with a token after it
    /// @param rows   cache rows for its nodes
    public static DraftBudget of(DrafterTraits traits, int wanted, int useful, int rows) {
        int most = Math.min(wanted, traits.maxDepth());
        int depth = Math.max(0, Math.min(most, Math.min(useful, rows)));
        boolean chain = traits.shape() == TreeShape.CHAIN;
        int nodes = depth == 0 ? 0 : Math.min(rows, chain ? depth : traits.maxNodes());
        return new DraftBudget(nodes, depth);
    }
}
