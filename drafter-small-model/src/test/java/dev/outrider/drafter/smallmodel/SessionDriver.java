package dev.outrider.drafter.smallmodel;

import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.StreamRandomness;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;

/// Does the engine's part for a drafter that does not read the target's states.
final class SessionDriver {
    /// Hidden states that are never read.
    static final HiddenStates NO_STATES = new Nothing();

    private SessionDriver() {}

    /// Returns the randomness of one round, which depends only on the seed.
    static Randomness randomness(long seed) {
        return new StreamRandomness(new KeyedRandomStreams(seed, 0), 0);
    }

    static void observe(DraftSession session, Draft draft, Verdict verdict) {
        session.observe(draft, verdict, new Nothing());
    }

    private static final class Nothing implements TargetScores {
        @Override
        public int size() {
            return 0;
        }

        @Override
        public int vocabularySize() {
            throw new AssertionError("the drafter does not read scores");
        }

        @Override
        public MemorySegment logits(int node) {
            throw new AssertionError("the drafter does not read scores");
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            throw new AssertionError("the drafter does not read hidden states");
        }

        @Override
        public void close() {}
    }
}
