package dev.outrider.drafter.lookup;

import dev.outrider.drafting.TopTokens;
import dev.outrider.spi.target.TargetScores;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Likely successors of contexts, which are the last few tokens of a text. It learns from texts and
/// from the target's scores, never from mere guesses, so nothing is rolled back. Confined to one
/// thread.
public interface SuccessorStore {
    /// Returns the maximum context length that is used, at least 1. Contexts are no longer than
    /// that, and shorter at the beginning of a text.
    int contextLength();

    /// Returns the likely successors, best first and each once; empty if unknown.
    int[] successors(int[] context);

    /// Learns that `token` came after `context` in a given text.
    void saw(int[] context, int token);

    /// Learns that `token` came after `context` in the generated text.
    default void wrote(int[] context, int token) {
        saw(context, token);
    }

    /// Learns from the target's scores of a node.
    ///
    /// @param context tokens that end with the node's own
    void scored(int[] context, TargetScores scores, int node);

    /// Returns an independent copy.
    SuccessorStore copy();

    /// Returns a new row of successors that begins with a token. The tokens before it move down; in a full row
    /// without the token the last one is removed.
    ///
    /// @param row   successors, best first, each once; not changed
    /// @param width maximum number of successors
    static int[] withFirst(int[] row, int token, int width) {
        var changed = new int[Math.min(row.length + 1, width)];
        changed[0] = token;
        return Arrays.copyOf(changed, join(changed, 1, row));
    }

    /// Adds the successors that a row does not have, as many as fit.
    ///
    /// @param best  successors, best first
    /// @param found their number
    /// @return the new number
    static int join(int[] best, int found, int[] successors) {
        int count = found;
        for (int i = 0; i < successors.length && count < best.length; i++) {
            int place = 0;
            while (place < count && best[place] != successors[i]) {
                place++;
            }
            if (place == count) {
                best[count++] = successors[i];
            }
        }
        return count;
    }

    /// Finds the tokens of the largest logits of a scored node. Confined to one thread; holds one row of floats.
    final class LogitRow {
        private final float[] logits;

        /// @param vocabulary number of the target's logits
        public LogitRow(int vocabulary) {
            this.logits = new float[vocabulary];
        }

        /// Returns the number of the target's logits.
        public int vocabulary() {
            return logits.length;
        }

        /// Returns the tokens of the `count` largest logits of a node, best first, the lowest id first
        /// among equals.
        public int[] top(TargetScores scores, int node, int count) {
            var row = scores.logits(node);
            MemorySegment.copy(row, ValueLayout.JAVA_FLOAT_UNALIGNED, 0, logits, 0, logits.length);
            return TopTokens.of(logits, count);
        }
    }
}
