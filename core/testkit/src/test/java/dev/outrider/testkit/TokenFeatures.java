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

/// A table target whose hidden state of a position is computed from the token there (its powers,
/// from the first on), so that tests can check a drafter's features.
///
/// @param table the table
/// @param width numbers of a hidden state, at least 1
public record TokenFeatures(TableTarget table, int width) implements ForwardingTarget {
    @Override
    public TargetModel target() {
        return table;
    }

    @Override
    public TargetSession open(SessionRequest request) {
        return new Session(
                table.open(new SessionRequest(request.capacity(), Set.of(), request.source())),
                width);
    }

    @Override
    public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        return requests.stream().map(request -> request.session().score(request.tree())).toList();
    }

    private record Session(TargetSession session, int width) implements ForwardingTargetSession {
        @Override
        public HiddenStates prefill(int[] tokens) {
            session.prefill(tokens).close();
            return new States(tokens.clone(), width);
        }

        @Override
        public TargetScores score(TokenTree tree) {
            return new Scores(session.score(tree), new States(tree.tokens(), width));
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record States(int[] tokens, int width) implements HiddenStates {
        @Override
        public int size() {
            return tokens.length;
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            return MemorySegment.ofArray(powers(tokens[index], width));
        }

        @Override
        public void close() {}
    }

    /// Returns the hidden state of a token.
    ///
    /// @param token the token
    /// @param width number of powers
    /// @return `[width]`; the caller owns it
    public static float[] powers(int token, int width) {
        var powers = new float[width];
        float power = 1;
        for (int index = 0; index < width; index++) {
            power *= token;
            powers[index] = power;
        }
        return powers;
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
