package dev.outrider.testkit;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A target whose sequences give up their turn before every pass and at every reading of a score, so that drafters and rules are
/// interrupted in the middle of their calls.
record TurnTakingTarget(TargetModel target, Turns turns) implements ForwardingTarget {
    @Override
    public TargetSession open(SessionRequest request) {
        return new Session(target.open(request), turns);
    }

    @Override
    public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        throw new UnsupportedOperationException("sequences that take turns score alone");
    }

    private record Session(TargetSession session, Turns turns) implements ForwardingTargetSession {
        @Override
        public TargetScores score(TokenTree tree) {
            turns.pass();
            return new Scores(session.score(tree), turns);
        }

        @Override
        public void commit(Verdict verdict) {
            turns.pass();
            session.commit(verdict);
        }
    }

    private record Scores(TargetScores scores, Turns turns) implements TargetScores {
        @Override
        public int vocabularySize() {
            return scores.vocabularySize();
        }

        @Override
        public MemorySegment logits(int node) {
            turns.pass();
            return scores.logits(node);
        }

        @Override
        public int argmax(int node) {
            turns.pass();
            return scores.argmax(node);
        }

        @Override
        public int size() {
            return scores.size();
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            turns.pass();
            return scores.hidden(which, index);
        }

        @Override
        public void close() {
            scores.close();
        }
    }
}
