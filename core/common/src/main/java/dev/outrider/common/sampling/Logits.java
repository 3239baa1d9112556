package dev.outrider.common.sampling;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Reads rows of 32-bit logits out of native memory, in blocks that stay in the first-level cache.
final class Logits {
    private static final int BLOCK = 2048;
    private static final int INFINITY = key(Float.floatToRawIntBits(Float.POSITIVE_INFINITY));
    private static final int NEGATIVE_INFINITY =
            key(Float.floatToRawIntBits(Float.NEGATIVE_INFINITY));
    private static final int NEGATIVE_ZERO = key(Float.floatToRawIntBits(-0f));

    private Logits() {}

    /// The largest logit's token, the lowest id among equals.
    ///
    /// @throws OutriderException `CONTRACT_BROKEN` if a logit is NaN or none is finite
    static int argmax(MemorySegment row, int vocabulary) {
        int start = bestBlock(row, vocabulary);
        var block = new float[Math.min(BLOCK, vocabulary)];
        float best = max(block, read(row, start, vocabulary, block));
        requireFinite(best);
        int token = 0;
        while (block[token] != best) {
            token++;
        }
        return start + token;
    }

    /// Start of the first block with the largest logit, or of a block with a NaN.
    ///
    /// Floats are compared as integers of the same order, because the compiler vectorises the maximum of integers
    /// but not that of floats: a fifth of the time or less.
    private static int bestBlock(MemorySegment row, int vocabulary) {
        var block = new int[Math.min(BLOCK, vocabulary)];
        int best = Integer.MIN_VALUE;
        int bestStart = 0;
        for (int start = 0; start < vocabulary; start += BLOCK) {
            int count = Math.min(block.length, vocabulary - start);
            MemorySegment.copy(row, ValueLayout.JAVA_INT_UNALIGNED, 4L * start, block, 0, count);
            int largest = largestKey(block, count);
            if (largest > INFINITY || leastKey(block, count) < NEGATIVE_INFINITY) {
                return start; // NaNs lie outside the infinities, on either side
            }
            largest = largest == NEGATIVE_ZERO ? 0 : largest; // equal to zero, as floats are
            if (largest > best) {
                best = largest;
                bestStart = start;
            }
        }
        return bestStart;
    }

    /// An integer that orders like the float with these bits.
    private static int key(int bits) {
        return bits ^ ((bits >> 31) >>> 1);
    }

    private static int largestKey(int[] bits, int count) {
        int largest = Integer.MIN_VALUE;
        for (int index = 0; index < count; index++) {
            largest = Math.max(largest, key(bits[index]));
        }
        return largest;
    }

    private static int leastKey(int[] bits, int count) {
        int least = Integer.MAX_VALUE;
        for (int index = 0; index < count; index++) {
            least = Math.min(least, key(bits[index]));
        }
        return least;
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

    /// Checks a value and returns it.
    ///
    /// @throws OutriderException `CONTRACT_BROKEN` if a target's best logit is not a finite number
    static double requireFinite(double best) {
        if (!Double.isFinite(best)) {
            throw ErrorCode.CONTRACT_BROKEN.error(
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
