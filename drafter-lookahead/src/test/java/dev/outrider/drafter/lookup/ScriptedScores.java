package dev.outrider.drafter.lookup;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// Given scores.
///
/// @param rows logits by node
public record ScriptedScores(List<float[]> rows) implements TargetScores {
    /// Returns the scores of nodes, the root first, whose best tokens are given; the other tokens follow by rising id.
    ///
    /// @param best for each node its best tokens, best first
    public static ScriptedScores of(int vocabulary, int[]... best) {
        return new ScriptedScores(
                Arrays.stream(best).map(tokens -> logits(vocabulary, tokens)).toList());
    }

    private static float[] logits(int vocabulary, int... best) {
        var logits = new float[vocabulary];
        for (int token = 0; token < vocabulary; token++) {
            logits[token] = -token;
        }
        for (int rank = 0; rank < best.length; rank++) {
            logits[best[rank]] = 20 - rank;
        }
        return logits;
    }

    @Override
    public int size() {
        return rows.size();
    }

    @Override
    public int vocabularySize() {
        return rows.getFirst().length;
    }

    @Override
    public MemorySegment logits(int node) {
        return MemorySegment.ofArray(rows.get(node));
    }

    @Override
    public MemorySegment hidden(HiddenState which, int index) {
        throw new AssertionError("no hidden states were asked for");
    }

    @Override
    public void close() {}
}
