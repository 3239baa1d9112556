package dev.outrider.engine.decode;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.tree.TreeShape;
import java.util.Optional;

/// The budget of a draft: the part of what a drafter can do that is useful.
public final class Budgets {
    private Budgets() {}

    /// The budget of one draft.
    ///
    /// @param traits what the drafter can do
    /// @param wanted greatest depth that is wanted
    /// @param useful greatest depth at which a guess can still be emitted, with a token after it
    /// @param rows   cache rows for its nodes
    public static DraftBudget of(DrafterTraits traits, int wanted, int useful, int rows) {
        return of(traits, Wish.ofDepth(wanted), useful, rows);
    }

    /// The draft that a draft-length policy asks for.
    ///
    /// @param depth   greatest depth
    /// @param rowCost as [DraftBudget#rowCost]
    /// @param tree    as [DraftBudget#tree]
    record Wish(int depth, double rowCost, Optional<TreePlan.RankPaths> tree) {
        static Wish ofDepth(int depth) {
            return new Wish(depth, 0, Optional.empty());
        }

        /// Asks for the next one.
        static Wish of(DraftLengthPolicy policy) {
            int depth = policy.next();
            return new Wish(depth, policy.rowCost(), policy.tree());
        }
    }

    /// The budget of one draft.
    ///
    /// @param traits what the drafter can do
    /// @param wish   what is wanted
    /// @param useful greatest depth at which a guess can still be emitted, with a token after it
    /// @param rows   cache rows for its nodes
    static DraftBudget of(DrafterTraits traits, Wish wish, int useful, int rows) {
        int most = Math.min(wish.depth(), traits.maxDepth());
        int depth = Math.max(0, Math.min(most, Math.min(useful, rows)));
        boolean chain = traits.shape() == TreeShape.CHAIN;
        int nodes = depth == 0 ? 0 : Math.min(rows, chain ? depth : traits.maxNodes());
        return new DraftBudget(nodes, depth, wish.rowCost(), wish.tree());
    }
}
