package dev.outrider.common.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Compares the fast argmax with a plain loop.
class LogitsTest {
    private static final int[] SIZES = {1, 2, 7, 2047, 2048, 2049, 4096, 5000};
    private static final float[] EDGES = {
        -0f, 0f, Float.MIN_VALUE, -Float.MIN_VALUE, Float.NEGATIVE_INFINITY, -1, 1, Float.MAX_VALUE
    };

    private final long seed = Long.getLong("seed", 11);
    private final SplittableRandom random = new SplittableRandom(seed);

    @Test
    void argmaxIsThatOfAPlainLoop() {
        for (int trial = 0; trial < 400; trial++) {
            var row = row(SIZES[trial % SIZES.length], trial % 3);
            int expected = 0;
            for (int token = 1; token < row.length; token++) {
                expected = row[token] > row[expected] ? token : expected;
            }
            if (row[expected] > Float.NEGATIVE_INFINITY) {
                assertThat(argmax(row))
                        .describedAs("trial %d, replay with -Dseed=%d", trial, seed)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void theFirstZeroWinsWhateverItsSign() {
        var row = new float[5000];
        Arrays.fill(row, -1);
        row[4000] = 0f;
        row[2500] = -0f;

        assertThat(argmax(row)).isEqualTo(2500);
    }

    @Test
    void aNanOfEitherSignIsReportedWhereverItIs() {
        for (int bits : new int[] {0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff}) {
            for (int at : new int[] {0, 2048, 4999}) {
                var row = row(5000, 0);
                row[at] = Float.intBitsToFloat(bits);

                assertThatThrownBy(() -> argmax(row))
                        .isInstanceOf(OutriderException.class)
                        .hasMessageStartingWith("CONTRACT_BROKEN: the largest logit is NaN");
            }
        }
    }

    @Test
    void infinitiesAreReported() {
        var none = new float[3000];
        Arrays.fill(none, Float.NEGATIVE_INFINITY);
        assertThatThrownBy(() -> argmax(none)).hasMessageContaining("is -Infinity");
        none[2999] = Float.POSITIVE_INFINITY;
        assertThatThrownBy(() -> argmax(none)).hasMessageContaining("is Infinity");
    }

    /// Ordinary numbers, few different numbers, or edge cases only.
    private float[] row(int size, int kind) {
        var row = new float[size];
        for (int token = 0; token < size; token++) {
            row[token] =
                    switch (kind) {
                        case 0 -> (float) random.nextGaussian();
                        case 1 -> random.nextInt(-3, 2);
                        default -> EDGES[random.nextInt(random.nextInt(EDGES.length) + 1)];
                    };
        }
        return row;
    }

    private static int argmax(float[] row) {
        return Logits.argmax(MemorySegment.ofArray(row), row.length);
    }
}
