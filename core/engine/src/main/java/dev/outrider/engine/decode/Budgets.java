package dev.outrider.engine.decode;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.tree.TreeShape;

/// How much of what a drafter can do is worth doing.
public final class Budgets {
    private Budgets() {}

    /// The budget of one draft.
    ///
    /// @param traits what the drafter can do
    /// @param wanted greatest depth that is wanted
    /// @param useful greatest depth at which a guess can still be emitted, with a token after it
    /// @param rows   cache rows for its nodes
    public static DraftBudget of(DrafterTraits traits, int wanted, int useful, int rows) {
        return of(traits, wanted, 0, useful, rows);
    }

    /// The budget of one draft of rows that have a price.
    ///
    /// @param traits what the drafter can do
    /// @param wanted greatest depth that is wanted
    /// @param price  of a row, as [DraftBudget#rowPrice]
    /// @param useful greatest depth at which a guess can still be emitted, with a token after it
    /// @param rows   cache rows for its nodes
    static DraftBudget of(DrafterTraits traits, int wanted, double price, int useful, int rows) {
        int most = Math.min(wanted, traits.maxDepth());
        int depth = Math.max(0, Math.min(most, Math.min(useful, rows)));
        boolean chain = traits.shape() == TreeShape.CHAIN;
        int nodes = depth == 0 ? 0 : Math.min(rows, chain ? depth : traits.maxNodes());
        return new DraftBudget(nodes, depth, price);
    }
}
