package dev.outrider.nn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LevelsTest {
    @ParameterizedTest
    @EnumSource
    void numbersMadeOfLevelsBecomeTheSameLevels(Levels levels) {
        var random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            // Scales above 2^-14, which 16-bit floats have in full.
            float size = (float) Math.scalb(1 + random.nextFloat(), random.nextInt(20) - 6);
            var numbers = new float[Levels.BLOCK];
            for (int index = random.nextInt(3); index < numbers.length; index++) {
                numbers[index] = random.nextInt(4) == 0 ? 0 : size * (2 * random.nextFloat() - 1);
            }
            numbers[random.nextInt(numbers.length)] = random.nextBoolean() ? size : -size;
            assertStable(levels, numbers, round);
        }
        assertStable(levels, new float[Levels.BLOCK], -1);
    }

    private static void assertStable(Levels levels, float[] numbers, int round) {
        var first = new byte[Levels.BLOCK];
        var second = new byte[Levels.BLOCK];
        short scale = levels.round(numbers, first);
        var made = new float[Levels.BLOCK];
        for (int index = 0; index < made.length; index++) {
            made[index] = first[index] * Float.float16ToFloat(scale);
        }
        assertThat(levels.round(made, second)).as("round %d", round).isEqualTo(scale);
        assertThat(second).as("round %d", round).isEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsTooSmallForAScaleBecomesZero(Levels levels) {
        var numbers = new float[Levels.BLOCK];
        numbers[5] = 1e-9f;
        var block = new byte[Levels.BLOCK];

        assertThat(Float.float16ToFloat(levels.round(numbers, block))).isZero();
        assertThat(block).containsOnly(0);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsTooLargeForAScaleIsRefused(Levels levels) {
        var numbers = new float[Levels.BLOCK];
        numbers[0] = levels.most();
        assertThat(levels.round(numbers, new byte[Levels.BLOCK])).isNotZero();
        numbers[0] *= 1.01f;
        assertThatThrownBy(() -> levels.round(numbers, new byte[Levels.BLOCK]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
