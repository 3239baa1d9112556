package dev.outrider.testkit;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/// A table whose hidden state of a position is the token there, so that a drafter's features can be looked at.
///
/// @param table the table
public record TokenFeatures(TableTarget table) implements ForwardingTarget {
    @Override
    public TargetModel target() {
        return table;
    }

    @Override
    public TargetSession open(SessionRequest request) {
        return new Session(
                table.open(new SessionRequest(request.capacity(), Set.of(), request.source())));
    }

    @Override
    public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        return requests.stream().map(request -> request.session().score(request.tree())).toList();
    }

    private record Session(TargetSession session) implements ForwardingTargetSession {
        @Override
        public HiddenStates prefill(int[] tokens) {
            session.prefill(tokens).close();
            return new States(tokens.clone());
        }

        @Override
        public TargetScores score(TokenTree tree) {
            return new Scores(session.score(tree), new States(tree.tokens()));
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record States(int[] tokens) implements HiddenStates {
        @Override
        public int size() {
            return tokens.length;
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            return MemorySegment.ofArray(new float[] {tokens[index]});
        }

        @Override
        public void close() {}
    }

    private record Scores(TargetScores scores, States states) implements TargetScores {
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
            return states.hidden(which, index);
        }

        @Override
        public void close() {
            scores.close();
        }
    }
}
