package dev.outrider.drafter.eagle;

import dev.outrider.engine.check.ForwardingDraftSession;
import dev.outrider.engine.check.ForwardingDrafter;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// A drafter whose features or prompt tokens are shifted by one: the oracle test must detect this mistake.
record ShiftedDrafter(Drafter drafter, OracleTest.Shift shift) implements ForwardingDrafter {
    @Override
    public DraftSession open(DraftRequest request) {
        return new Session(drafter.open(request), shift);
    }

    /// Every row's feature is replaced by the previous row's, in the prompt and in every round.
    private static final class Session implements ForwardingDraftSession {
        private final DraftSession session;
        private final OracleTest.Shift shift;
        private final Arena arena = Arena.ofShared();
        private Optional<MemorySegment> before = Optional.empty();

        Session(DraftSession session, OracleTest.Shift shift) {
            this.session = session;
            this.shift = shift;
        }

        @Override
        public DraftSession session() {
            return session;
        }

        @Override
        public void begin(int[] prompt, HiddenStates states) {
            var tokens = prompt.clone();
            if (shift == OracleTest.Shift.TOKEN) {
                // The root stays: a draft must start there.
                System.arraycopy(prompt, 0, tokens, 1, prompt.length - 2);
            }
            session.begin(tokens, new ShiftedStates(states, this));
            remember(states, states.size() - 1);
        }

        @Override
        public void observe(Draft draft, Verdict verdict, TargetScores scores) {
            session.observe(draft, verdict, new ShiftedScores(scores, this));
            remember(scores, verdict.lastNode());
        }

        @Override
        public void close() {
            session.close();
            if (arena.scope().isAlive()) {
                arena.close();
            }
        }

        /// Returns the feature that replaces the feature at `index`.
        MemorySegment hidden(HiddenStates states, HiddenState which, int index) {
            return switch (shift) {
                case NONE, TOKEN -> states.hidden(which, index);
                case FEATURE_BEFORE ->
                        index == 0
                                ? before.orElseGet(() -> states.hidden(which, 0))
                                : states.hidden(which, index - 1);
            };
        }

        private void remember(HiddenStates states, int index) {
            var feature = states.hidden(new HiddenState.AfterFinalNorm(), index);
            before = Optional.of(arena.allocate(feature.byteSize(), 4).copyFrom(feature));
        }
    }

    private record ShiftedStates(HiddenStates states, Session session) implements HiddenStates {
        @Override
        public int size() {
            return states.size();
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            return session.hidden(states, which, index);
        }

        @Override
        public void close() {
            states.close();
        }
    }

    private record ShiftedScores(TargetScores scores, Session session) implements TargetScores {
        @Override
        public int vocabularySize() {
            return scores.vocabularySize();
        }

        @Override
        public MemorySegment logits(int node) {
            return scores.logits(node);
        }

        @Override
        public int size() {
            return scores.size();
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            return session.hidden(scores, which, index);
        }

        @Override
        public void close() {
            scores.close();
        }
    }
}
