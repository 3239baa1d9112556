package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.outrider.drafting.LogitReader.Exponentials;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExponentialsTest {
    private final Exponentials exponentials = new Exponentials();

    @Test
    void equalsThePlainLoopForRowsOfAnyLength() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var scores = new float[1 + random.nextInt(5000)];
            float best = Float.NEGATIVE_INFINITY;
            for (int i = 0; i < scores.length; i++) {
                scores[i] =
                        random.nextInt(9) == 0 && i > 0
                                ? Float.NEGATIVE_INFINITY
                                : (float) (random.nextGaussian() * Math.pow(10, random.nextInt(3)));
                best = Math.max(best, scores[i]);
            }
            double sum = 0;
            double distance = 0;
            for (float score : scores) {
                double power = Math.exp((double) score - best);
                sum += power;
                distance += power > 1e-300 ? power * ((double) best - score) : 0;
            }

            assertThat(exponentials.sum(scores, best))
                    .as("seed %d", seed)
                    .isCloseTo(sum, withinPercentage(1e-8));
            assertThat(exponentials.weightedDistance(scores, best))
                    .as("seed %d", seed)
                    .isCloseTo(distance, withinPercentage(1e-7));
        }
    }

    @Test
    void aCertainTokenHasProbabilityOneExactly() {
        var scores = new float[] {Float.NEGATIVE_INFINITY, 7, Float.NEGATIVE_INFINITY, -1e30f};

        assertThat(exponentials.sum(scores, 7)).isEqualTo(1);
        assertThat(exponentials.weightedDistance(scores, 7)).isZero();
    }
}
