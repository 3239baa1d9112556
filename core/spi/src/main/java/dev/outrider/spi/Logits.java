package dev.outrider.spi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Reads rows of 32-bit logits out of native memory, in blocks that stay in the first-level cache.
final class Logits {
    private static final int BLOCK = 2048;

    private Logits() {}

    /// The largest logit's token, the lowest id among equals.
    ///
    /// @throws OutriderException `CONTRACT_BROKEN` if a logit is NaN or none is finite
    static int argmax(MemorySegment row, int vocabulary) {
        var block = new float[Math.min(BLOCK, vocabulary)];
        float best = Float.NEGATIVE_INFINITY;
        int bestStart = 0;
        for (int start = 0; start < vocabulary; start += BLOCK) {
            int count = read(row, start, vocabulary, block);
            float blockBest = max(block, count);
            // Written so that a NaN, which no comparison finds larger, is kept and reported below.
            if (!(blockBest <= best)) {
                best = blockBest;
                bestStart = start;
                if (Float.isNaN(best)) {
                    break;
                }
            }
        }
        requireFinite(best);
        read(row, bestStart, vocabulary, block);
        int token = 0;
        while (block[token] != best) {
            token++;
        }
        return bestStart + token;
    }

    /// Widens a row to doubles.
    static void copy(MemorySegment row, double[] target) {
        var block = new float[Math.min(BLOCK, target.length)];
        for (int start = 0; start < target.length; start += BLOCK) {
            int count = read(row, start, target.length, block);
            for (int index = 0; index < count; index++) {
                target[start + index] = block[index];
            }
        }
    }

    /// The largest value; NaN if there is one.
    static double max(double[] values) {
        double best = Double.NEGATIVE_INFINITY;
        for (double value : values) {
            best = Math.max(best, value);
        }
        return best;
    }

    /// The same value.
    ///
    /// @throws OutriderException `CONTRACT_BROKEN` if a target's best logit is not a finite number
    static double requireFinite(double best) {
        if (!Double.isFinite(best)) {
            throw new OutriderException(
                    ErrorCode.CONTRACT_BROKEN,
                    "the largest logit is %s, expected a finite number".formatted(best),
                    "Check the checkpoint for NaN weights, or choose a back end with a wider number format.");
        }
        return best;
    }

    private static float max(float[] block, int count) {
        float best = Float.NEGATIVE_INFINITY;
        for (int index = 0; index < count; index++) {
            best = Math.max(best, block[index]);
        }
        return best;
    }

    private static int read(MemorySegment row, int start, int vocabulary, float[] block) {
        int count = Math.min(block.length, vocabulary - start);
        MemorySegment.copy(row, ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * start, block, 0, count);
        return count;
    }
}
