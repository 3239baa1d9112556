package dev.outrider.experiment.run;

import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftRequest;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.DrafterTraits;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.Verdict;

/// A drafter whose every drafted level takes 100 ns.
public record ClockedDrafter(Drafter drafter, FakeClock clock) implements Drafter {
    /// Time of a drafted level.
    public static final long STEP = 100;

    @Override
    public DrafterTraits traits() {
        return drafter.traits();
    }

    @Override
    public long parameters() {
        return drafter.parameters();
    }

    @Override
    public String digest() {
        return "feed";
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new Session(drafter.open(request), clock);
    }

    @Override
    public void close() {
        drafter.close();
    }

    private record Session(DraftSession session, FakeClock clock) implements DraftSession {
        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            session.begin(prompt, promptStates);
        }

        @Override
        public Draft propose(DraftBudget budget, Coins coins) {
            Draft draft = session.propose(budget, coins);
            clock.advance(STEP * draft.tree().maxDepth());
            return draft;
        }

        @Override
        public void observe(Verdict verdict, TargetScores scores) {
            session.observe(verdict, scores);
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
