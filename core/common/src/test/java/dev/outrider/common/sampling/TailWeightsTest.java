package dev.outrider.common.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.common.sampling.TailSum.TailWeights;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TailWeightsTest {
    private static final float MIN = -17.5f;

    @ParameterizedTest
    @ValueSource(doubles = {.3, 1, 2.5})
    void weightsAreExponentials(double temperature) {
        float scale = TailWeights.scale(temperature);
        for (double power = 0; power <= TailWeights.RANGE; power += .01) {
            float logit = (float) (MIN + power * temperature);
            double exact = Math.exp(((double) logit - MIN) / temperature);

            assertThat(TailWeights.of(logit, MIN, scale) / exact).isCloseTo(1, within(3e-5));
        }
    }

    @Test
    void lowerLogitsHaveTheLeastWeight() {
        float least = TailWeights.of(MIN, MIN, TailWeights.scale(1));
        for (float logit : new float[] {-18, -1e30f, -Float.MAX_VALUE, Float.NEGATIVE_INFINITY}) {
            assertThat(TailWeights.of(logit, MIN, TailWeights.scale(1))).isEqualTo(least);
        }
    }

    @Test
    void columnsAddUpTheSameWeightsToTheBit() {
        var random = new Random(1);
        var logits = new float[512];
        var sums = new float[512];
        var columns = new float[512];
        var others = new float[512];
        float scale = TailWeights.scale(.7);
        for (int row = 0; row < 20; row++) {
            for (int lane = 0; lane < logits.length; lane++) {
                logits[lane] = (float) (-20 + 8 * random.nextGaussian());
                sums[lane] += TailWeights.of(logits[lane], MIN, scale);
            }
            TailWeights.add(logits, columns, MIN, scale, logits.length);
            TailWeights.addImpossible(logits, others, MIN, scale, logits.length);
        }
        assertThat(columns).containsExactly(sums);
        assertThat(others).containsExactly(sums);
    }

    @Test
    void impossibleTokensAreNoticed() {
        float[] logits = {0, Float.NEGATIVE_INFINITY};
        var columns = new float[2];
        TailWeights.add(logits, columns, MIN, TailWeights.scale(1), 2);

        assertThat(columns[0]).isPositive();
        assertThat(columns[1]).isNaN();
    }
}
