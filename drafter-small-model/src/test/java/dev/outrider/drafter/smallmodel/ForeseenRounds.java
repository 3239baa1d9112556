package dev.outrider.drafter.smallmodel;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.testkit.WrappedDrafter;

/// Counts drafts that were begun before they were asked for. Confined to one thread.
final class ForeseenRounds {
    private final CountingNetwork network;
    private int asked;
    private int foreseen;

    /// @param network of the drafter
    ForeseenRounds(CountingNetwork network) {
        this.network = network;
    }

    /// The drafter, with the drafts of its sessions counted.
    Drafter counting(Drafter drafter) {
        return new WrappedDrafter(drafter, Session::new);
    }

    /// Of the drafts but the first of a sequence, the share that needed fewer passes than they are deep: their root was run ahead.
    double share() {
        return asked == 0 ? 0 : (double) foreseen / asked;
    }

    private final class Session extends WrappedDrafter.Session {
        private boolean first = true;

        Session(DraftSession session) {
            super(session);
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            int before = network.passes();
            var draft = super.propose(budget, randomness);
            int depth = draft.tree().maxDepth();
            if (!first && depth > 0) {
                asked++;
                foreseen += network.passes() - before < depth ? 1 : 0;
            }
            first = false;
            return draft;
        }
    }
}
