package dev.outrider.drafter.lookup;

import dev.outrider.drafting.TopTokens;
import dev.outrider.spi.target.TargetScores;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Finds the tokens of the largest logits of a scored node. Confined to one thread; holds one row of floats.
public final class LogitRow {
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
        MemorySegment.copy(
                scores.logits(node), ValueLayout.JAVA_FLOAT_UNALIGNED, 0, logits, 0, logits.length);
        return TopTokens.of(logits, count);
    }

    /// Returns the memory in bytes.
    public long bytes() {
        return (long) Float.BYTES * logits.length;
    }
}
