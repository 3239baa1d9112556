package dev.outrider.testkit;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TokenTree;

/// A session with a planted fault: its chains end before a token that its own distribution finds
/// unlikely, so the stop depends on the drawn token. Drafts that were not drawn independently are
/// unchanged.
final class LosesUnlikely extends WrappedDrafter.Session {
    private static final double THRESHOLD = 0.4;

    LosesUnlikely(DraftSession session) {
        super(session);
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        var draft = super.propose(budget, randomness);
        return draft.selection() instanceof Selection.Independent
                ? shortened(draft, THRESHOLD)
                : draft;
    }

    /// @param draft a chain of independent draws
    static Draft shortened(Draft draft, double threshold) {
        var distributions = ((Selection.Independent) draft.selection()).distributions();
        var tree = TokenTree.builder(draft.tree().token(0));
        var kept = DraftDistributions.builder();
        for (int node = 0; node < draft.tree().draftedNodes(); node++) {
            int token = draft.tree().token(node + 1);
            if (distributions.row(node)[token] < threshold) {
                break;
            }
            kept.put(node, distributions.row(node));
            tree.add(node, token);
        }
        return new Draft(tree.build(), new Selection.Independent(kept.build()));
    }
}
