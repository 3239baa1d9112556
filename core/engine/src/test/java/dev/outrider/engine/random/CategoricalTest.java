package dev.outrider.engine.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.Support;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CategoricalTest {
    @Test
    void picksTheTokenWhoseIntervalHoldsTheUniform() {
        double[] law = {.25, 0, .5, .25};

        assertThat(Categorical.draw(law, 0)).isZero();
        assertThat(Categorical.draw(law, .249)).isZero();
        assertThat(Categorical.draw(law, .25)).isEqualTo(2);
        assertThat(Categorical.draw(law, .75)).isEqualTo(3);
        assertThat(Categorical.draw(law, Math.nextDown(1.0))).isEqualTo(3);
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
            var law = new double[vocabulary];
            Arrays.setAll(law, token -> random.nextInt(3) == 0 ? random.nextInt(1, 64) : 0);
            law[random.nextInt(vocabulary)] = 1;
            double uniform = random.nextInt(1024) / 1024.0;

            int token = Categorical.draw(law, uniform);

            assertThat(token).isEqualTo(plainDraw(law, uniform));
            assertThat(law[token]).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesWeightsThatAreNoLaw(double weight) {
        assertThatThrownBy(() -> Categorical.draw(new double[] {weight}, .5))
                .hasMessage("weights sum to %s, expected a positive number", weight);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 40, 5000})
    void aSupportSparesLookingAtTheRest(int vocabulary) {
        var random = new SplittableRandom(vocabulary);
        for (int trial = 0; trial < 300; trial++) {
            var law = new double[vocabulary];
            for (int token = 0; token < 1 + vocabulary / 20; token++) {
                law[random.nextInt(vocabulary)] = random.nextInt(1, 64);
            }
            var support = Support.of(law);
            law[support.token(random.nextInt(support.size()))] *= support.size() > 1 ? 0 : 1;
            double uniform = random.nextInt(1024) / 1024.0;

            assertThat(Categorical.draw(law, support, uniform)).isEqualTo(plainDraw(law, uniform));
        }
    }

    @Test
    void aSupportWithoutWeightIsNoLaw() {
        var support = Support.of(new double[] {0, 1});

        assertThatThrownBy(() -> Categorical.draw(new double[20], support, .5))
                .hasMessage("weights sum to 0.0, expected a positive number");
    }

    private static int plainDraw(double[] law, double uniform) {
        double rest = uniform * Arrays.stream(law).sum();
        int token = 0;
        while (law[token] == 0 || rest >= law[token]) {
            rest -= law[token++];
        }
        return token;
    }
}
