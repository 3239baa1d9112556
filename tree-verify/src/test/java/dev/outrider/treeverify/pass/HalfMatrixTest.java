package dev.outrider.treeverify.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// 16-bit matrices can hold the numbers of binary16.
class HalfMatrixTest {
    private static final Offset<Float> PRECISELY = Offset.offset(0f);

    @Test
    void everyNumberOfBinary16Below4IsItself() {
        var numbers = new float[2 * 0x4400];
        for (int bits = 0; bits < 0x4400; bits++) {
            numbers[2 * bits] = Float.float16ToFloat((short) bits);
            numbers[2 * bits + 1] = Float.float16ToFloat((short) (bits | 0x8000));
        }
        assertThat(stored(numbers, 2 * 0x44, 0x100)).containsExactly(numbers, PRECISELY);
    }

    @Test
    void otherNumbersBecomeTheNearestOfBinary16() {
        var random = new SplittableRandom(1);
        for (int size : new int[] {1, 2, 63, 64, 65, 127, 128, 129, 300}) {
            var numbers = new float[3 * size];
            var nearest = new float[numbers.length];
            for (int index = 0; index < numbers.length; index++) {
                double magnitude = Math.pow(2, -26 + 27.9 * random.nextDouble());
                numbers[index] = (float) (random.nextBoolean() ? magnitude : -magnitude);
                nearest[index] = Float.float16ToFloat(Float.floatToFloat16(numbers[index]));
            }
            assertThat(stored(numbers, 3, size))
                    .describedAs("rows of %d", size)
                    .containsExactly(nearest, PRECISELY);
        }
    }

    @Test
    void aLargeWeightCostsTheSmallestOnesTheirLastBits() {
        float[] numbers = {65504f, -3.999f, 1000.5f, 0x1p-10f, 0x1.8p-10f, 0x1p-13f};

        float[] stored = stored(numbers, 1, numbers.length);

        // The scale is 2^-10: 2^14 times that of matrices with weights below 4.
        assertThat(stored).containsExactly(65504f, -3.998046875f, 1000.5f, 0x1p-10f, 0x1p-9f, 0f);
    }

    @Test
    void weightsThat16BitsDoNotHoldAreRefused() {
        for (float weight : new float[] {65520f, -1e6f, Float.NaN, Float.NEGATIVE_INFINITY}) {
            assertThatThrownBy(() -> stored(new float[] {1, weight}, 1, 2))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            """
                            CHECKPOINT_UNSUPPORTED: down of layer 3 has the weight %s, but 16 bits hold numbers of -65504 to 65504
                              Set target.precision to f32.\
                            """
                                    .formatted(weight));
        }
    }

    private static float[] stored(float[] numbers, int rows, int size) {
        try (var arena = Arena.ofConfined()) {
            var words = arena.allocate(ValueLayout.JAVA_INT, (long) rows * HalfMatrix.words(size));
            float scale =
                    HalfMatrix.pack(
                            "down of layer 3", MemorySegment.ofArray(numbers), rows, size, words);
            var stored = new float[numbers.length];
            for (int index = 0; index < stored.length; index++) {
                int column = index % size;
                int at = index / size * HalfMatrix.words(size) + HalfMatrix.wordOf(column);
                int word = words.getAtIndex(ValueLayout.JAVA_INT, at);
                stored[index] = HalfMatrix.significand(word, HalfMatrix.partOf(column)) * scale;
            }
            return stored;
        }
    }
}
