package dev.outrider.drafter.medusa;

import dev.outrider.drafting.head.HeadSession;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;

/// Loaded heads and the shape of their drafts. Thread-safe; owns the heads.
///
/// @param hiddenSize the target's
/// @param parameters numbers in the heads that are used
/// @param digest     of the checkpoint
record MedusaDrafter(
        MedusaConfig config, Heads heads, int hiddenSize, long parameters, String digest)
        implements Drafter {
    private static final HiddenState LAST = new HiddenState.AfterFinalNorm();

    @Override
    public DrafterTraits traits() {
        return config.traits();
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return Set.of(LAST);
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new Session(this);
    }

    @Override
    public void close() {
        heads.close();
    }

    /// One sequence: the hidden state of the token before the root, from which a round guesses everything at once.
    ///
    /// Before the first pass of a prompt of one token there is no such state, and nothing is guessed.
    private static final class Session extends HeadSession {
        private final Heads heads;
        private final GuessTree tree;
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment hidden;
        private boolean known;

        Session(MedusaDrafter drafter) {
            heads = drafter.heads();
            tree = GuessTree.of(drafter.config().plan());
            hidden = arena.allocate(ValueLayout.JAVA_FLOAT, drafter.hiddenSize());
        }

        @Override
        protected void read(HiddenStates states, int index, int next) {
            hidden.copyFrom(states.hidden(LAST, index));
            known = true;
        }

        @Override
        protected int depth() {
            return known ? heads.count() : 0;
        }

        @Override
        protected Draft guess(DraftBudget budget, Randomness randomness) {
            var guesses = heads.guess(hidden, tree.ranks(), tree.readsProbabilities());
            for (int head = 0; head < guesses.scores().length; head++) {
                requireFinite(head, guesses.scores()[head][0]);
            }
            return new Draft(
                    tree.grow(tokens().root(), guesses, budget), new Selection.PointMass());
        }

        @Override
        public void close() {
            if (arena.scope().isAlive()) {
                arena.close();
            }
        }

        private static void requireFinite(int head, float best) {
            if (!Float.isFinite(best)) {
                throw new OutriderException(
                        ErrorCode.CONTRACT_BROKEN,
                        "the largest logit of Medusa head %d is %s, expected a finite number"
                                .formatted(head, best),
                        "Check the heads' checkpoint for NaN weights, or choose a wider number format"
                                + " for them.");
            }
        }
    }
}
