package dev.outrider.testkit;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TokenTree;

/// A session that states other distributions than its drafts were drawn from, for negative
/// controls. Drafts that were not drawn independently are unchanged.
public abstract class ReportedRows extends WrappedDrafter.Session {
    /// Changes the stated distributions of a session.
    ///
    /// @param session the session
    protected ReportedRows(DraftSession session) {
        super(session);
    }

    /// Returns a session that states the distribution of the next node of a chain, and for the last
    /// one that of the first (transformers issue 47932).
    ///
    /// @param session a session that drafts chains
    /// @return the same drafts with other distributions
    public static ReportedRows ofNeighbours(DraftSession session) {
        return new ReportedRows(session) {
            @Override
            protected double[] row(TokenTree tree, DraftDistributions rows, int node) {
                return rows.row((node + 1) % tree.draftedNodes());
            }
        };
    }

    /// Returns the stated distribution of a node that has children.
    ///
    /// @param tree the draft's tree
    /// @param rows the distributions that the children were drawn from
    /// @param node its index
    /// @return probabilities of the node's children
    protected abstract double[] row(TokenTree tree, DraftDistributions rows, int node);

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        var draft = super.propose(budget, randomness);
        if (!(draft.selection() instanceof Selection.Independent(var rows))) {
            return draft;
        }
        var tree = draft.tree();
        var changed = DraftDistributions.builder();
        for (int node = 0; node < tree.size(); node++) {
            if (tree.childCount(node) > 0) {
                changed.put(node, row(tree, rows, node));
            }
        }
        return new Draft(tree, new Selection.Independent(changed.build()));
    }
}
