package dev.outrider.drafter.bench;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetScores;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/// Scores of a target of 32,000 tokens in native memory: 64 different rows, used in turn.
final class RowScores implements TargetScores {
    static final int VOCABULARY = 32_000;
    private static final int ROWS = 64;
    private static final long ROW_BYTES = (long) Float.BYTES * VOCABULARY;

    private final MemorySegment rows =
            Arena.ofAuto().allocate(ROWS * ROW_BYTES, ValueLayout.JAVA_FLOAT.byteAlignment());

    RowScores() {
        var random = new SplittableRandom(3);
        for (long index = 0; index < (long) ROWS * VOCABULARY; index++) {
            rows.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) random.nextGaussian());
        }
    }

    @Override
    public int vocabularySize() {
        return VOCABULARY;
    }

    @Override
    public MemorySegment logits(int node) {
        return rows.asSlice(node % ROWS * ROW_BYTES, ROW_BYTES);
    }

    @Override
    public int size() {
        return 0; // as hidden states of a prompt: none were asked for
    }

    @Override
    public MemorySegment hidden(HiddenState which, int index) {
        throw new IllegalArgumentException(which + " was not asked for");
    }

    @Override
    public void close() {}
}
