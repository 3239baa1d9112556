package dev.outrider.experiment.run;

import dev.outrider.engine.check.ForwardingDraftSession;
import dev.outrider.engine.check.ForwardingDrafter;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.sampling.Randomness;

/// A drafter whose every drafted level takes 100 ns.
public record ClockedDrafter(Drafter drafter, FakeClock clock) implements ForwardingDrafter {
    /// Time of a drafted level.
    public static final long STEP = 100;

    @Override
    public String digest() {
        return "feed";
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new Session(drafter.open(request), clock);
    }

    private record Session(DraftSession session, FakeClock clock)
            implements ForwardingDraftSession {
        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            Draft draft = session.propose(budget, randomness);
            clock.advance(STEP * draft.tree().maxDepth());
            return draft;
        }
    }
}
