package dev.outrider.engine.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.random.StreamRandomness.Categorical;
import dev.outrider.spi.sampling.Support;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CategoricalTest {
    @Test
    void picksTheTokenWhoseIntervalHoldsTheUniform() {
        double[] distribution = {.25, 0, .5, .25};

        assertThat(Categorical.draw(distribution, 0)).isZero();
        assertThat(Categorical.draw(distribution, .249)).isZero();
        assertThat(Categorical.draw(distribution, .25)).isEqualTo(2);
        assertThat(Categorical.draw(distribution, .75)).isEqualTo(3);
        assertThat(Categorical.draw(distribution, Math.nextDown(1.0))).isEqualTo(3);
    }

    @Test
    void weightsNeedNotSumToOne() {
        assertThat(Categorical.draw(new double[] {1, 3}, .2)).isZero();
        assertThat(Categorical.draw(new double[] {1, 3}, .3)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 511, 512, 513, 5000})
    void agreesWithTheRunningSumAndNeverDrawsZeroWeight(int vocabulary) {
        var random = new SplittableRandom(vocabulary);
        for (int trial = 0; trial < 300; trial++) {
            var distribution = new double[vocabulary];
            Arrays.setAll(
                    distribution, token -> random.nextInt(3) == 0 ? random.nextInt(1, 64) : 0);
            distribution[random.nextInt(vocabulary)] = 1;
            double uniform = random.nextInt(1024) / 1024.0;

            int token = Categorical.draw(distribution, uniform);

            assertThat(token).isEqualTo(plainDraw(distribution, uniform));
            assertThat(distribution[token]).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesWeightsThatAreNoDistribution(double weight) {
        assertThatThrownBy(() -> Categorical.draw(new double[] {weight}, .5))
                .hasMessage("weights sum to %s, expected a positive number", weight);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 40, 5000})
    void tokensOutsideTheSupportAreNotRead(int vocabulary) {
        var random = new SplittableRandom(vocabulary);
        for (int trial = 0; trial < 300; trial++) {
            var distribution = new double[vocabulary];
            for (int token = 0; token < 1 + vocabulary / 20; token++) {
                distribution[random.nextInt(vocabulary)] = random.nextInt(1, 64);
            }
            var support = Support.of(distribution);
            distribution[support.token(random.nextInt(support.size()))] *=
                    support.size() > 1 ? 0 : 1;
            double uniform = random.nextInt(1024) / 1024.0;

            assertThat(Categorical.draw(distribution, support, uniform))
                    .isEqualTo(plainDraw(distribution, uniform));
        }
    }

    @Test
    void aSupportWithoutWeightIsNoDistribution() {
        var support = Support.of(new double[] {0, 1});

        assertThatThrownBy(() -> Categorical.draw(new double[20], support, .5))
                .hasMessage("weights sum to 0.0, expected a positive number");
    }

    private static int plainDraw(double[] distribution, double uniform) {
        double rest = uniform * Arrays.stream(distribution).sum();
        int token = 0;
        while (distribution[token] == 0 || rest >= distribution[token]) {
            rest -= distribution[token++];
        }
        return token;
    }
}
