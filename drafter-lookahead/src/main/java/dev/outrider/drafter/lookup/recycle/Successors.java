package dev.outrider.drafter.lookup.recycle;

import dev.outrider.drafting.TopTokens;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// For every token its likely successors, best first: a matrix of `V x WIDTH` token ids, `4 * V * WIDTH` bytes for as long
/// as it lives, whatever it is told. Confined to one thread.
final class Successors {
    /// No successor is known at this rank.
    static final int UNKNOWN = -1;

    private static final int WIDTH = TokenRecyclingConfig.WIDTH;

    private final int[] rows;
    private final float[] logits;

    /// A matrix that knows nothing.
    Successors(int vocabulary) {
        this.rows = new int[Math.multiplyExact(vocabulary, WIDTH)];
        this.logits = new float[vocabulary];
        Arrays.fill(rows, UNKNOWN);
    }

    /// A copy of another one.
    Successors(Successors original) {
        this.rows = original.rows.clone();
        this.logits = new float[original.logits.length];
    }

    int vocabulary() {
        return logits.length;
    }

    /// The successor of `token` at a rank; [#UNKNOWN] if there is none.
    int successor(int token, int rank) {
        return rows[token * WIDTH + rank];
    }

    /// Replaces a row by the tokens of the largest logits, the lowest id first among equals.
    ///
    /// @param row shape `[V]` 32-bit floats
    void refresh(int token, MemorySegment row) {
        MemorySegment.copy(row, ValueLayout.JAVA_FLOAT_UNALIGNED, 0, logits, 0, logits.length);
        int[] best = TopTokens.of(logits, WIDTH);
        int start = token * WIDTH;
        System.arraycopy(best, 0, rows, start, best.length);
        Arrays.fill(rows, start + best.length, start + WIDTH, UNKNOWN);
    }

    /// Puts a successor that was seen first in its token's row; the others move down.
    void saw(int token, int successor) {
        int start = token * WIDTH;
        int place = start;
        while (place < start + WIDTH - 1 && rows[place] != successor && rows[place] != UNKNOWN) {
            place++;
        }
        System.arraycopy(rows, start, rows, start + 1, place - start);
        rows[start] = successor;
    }

    long bytes() {
        return (long) Integer.BYTES * rows.length + (long) Float.BYTES * logits.length;
    }
}
