package dev.outrider.engine.decode;

import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.ForwardingDraftSession;
import dev.outrider.spi.Selection;

/// Leaves out the laws a draft states: it was pruned after a look at what was drawn, and follows them no more.
/// The candidates are still guesses that any rule for point masses judges exactly (docs/algorithms.md I1, I5).
record LawlessSession(DraftSession session) implements ForwardingDraftSession {
    @Override
    public Draft propose(DraftBudget budget, Coins coins) {
        return new Draft(session.propose(budget, coins).tree(), new Selection.PointMass());
    }
}
