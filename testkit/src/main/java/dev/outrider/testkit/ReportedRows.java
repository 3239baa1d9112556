package dev.outrider.testkit;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;

/// A session that tells the rule other distributions than those that its chains were drawn from: for controls that must not be exact.
/// Drafts that were not drawn independently stay as they are.
public abstract class ReportedRows extends WrappedDrafter.Session {
    /// Changes what a session reports.
    ///
    /// @param session what drafts
    protected ReportedRows(DraftSession session) {
        super(session);
    }

    /// A session that reports the distribution of the next node, and for the last one that of the first (transformers issue 47932).
    ///
    /// @param session what drafts
    /// @return the same drafts with other distributions
    public static ReportedRows ofNeighbours(DraftSession session) {
        return new ReportedRows(session) {
            @Override
            protected double[] row(DraftDistributions rows, int node, int last) {
                return rows.row((node + 1) % last);
            }
        };
    }

    /// What the rule is told for a node.
    ///
    /// @param rows what the nodes' successors were drawn from
    /// @param node of a chain, from 0
    /// @param last the chain's last node, which has no successor
    /// @return probabilities of the node's successors
    protected abstract double[] row(DraftDistributions rows, int node, int last);

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        var draft = super.propose(budget, randomness);
        if (!(draft.selection() instanceof Selection.Independent(var rows))) {
            return draft;
        }
        int last = draft.tree().size() - 1;
        var changed = DraftDistributions.builder();
        for (int node = 0; node < last; node++) {
            changed.put(node, row(rows, node, last));
        }
        return new Draft(draft.tree(), new Selection.Independent(changed.build()));
    }
}
