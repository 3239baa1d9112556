package dev.outrider.engine.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SpeedupTheoryTest {
    private static final double[] ALPHAS = {.2, .4, .5, .6, .7, .8, .9, .95};

    /// Expected tokens per round, rows K = 1..10 (docs/reference/algorithms.md A12.1).
    private static final double[][] TOKENS = {
        {1.2000, 1.4000, 1.5000, 1.6000, 1.7000, 1.8000, 1.9000, 1.9500},
        {1.2400, 1.5600, 1.7500, 1.9600, 2.1900, 2.4400, 2.7100, 2.8525},
        {1.2480, 1.6240, 1.8750, 2.1760, 2.5330, 2.9520, 3.4390, 3.7099},
        {1.2496, 1.6496, 1.9375, 2.3056, 2.7731, 3.3616, 4.0951, 4.5244},
        {1.2499, 1.6598, 1.9688, 2.3834, 2.9412, 3.6893, 4.6856, 5.2982},
        {1.2500, 1.6639, 1.9844, 2.4300, 3.0588, 3.9514, 5.2170, 6.0333},
        {1.2500, 1.6656, 1.9922, 2.4580, 3.1412, 4.1611, 5.6953, 6.7316},
        {1.2500, 1.6662, 1.9961, 2.4748, 3.1988, 4.3289, 6.1258, 7.3950},
        {1.2500, 1.6665, 1.9980, 2.4849, 3.2392, 4.4631, 6.5132, 8.0253},
        {1.2500, 1.6666, 1.9990, 2.4909, 3.2674, 4.5705, 6.8619, 8.6240},
    };

    private static final double[] COSTS = {.01, .02, .05, .1, .2, .3};

    /// Best length and its speedup, one row per cost.
    private static final double[][][] BEST = {
        {
            {2, 1.22},
            {4, 1.59},
            {5, 1.88},
            {7, 2.30},
            {9, 2.97},
            {14, 4.23},
            {24, 7.49},
            {40, 12.54}
        },
        {{2, 1.19}, {3, 1.53}, {4, 1.79}, {6, 2.17}, {8, 2.76}, {11, 3.82}, {19, 6.37}, {31, 9.95}},
        {{1, 1.14}, {2, 1.42}, {3, 1.63}, {4, 1.92}, {6, 2.35}, {8, 3.09}, {13, 4.67}, {21, 6.60}},
        {{1, 1.09}, {2, 1.30}, {2, 1.46}, {3, 1.67}, {4, 1.98}, {6, 2.47}, {10, 3.43}, {15, 4.48}},
        {{0, 1.00}, {1, 1.17}, {1, 1.25}, {2, 1.40}, {3, 1.58}, {4, 1.87}, {7, 2.37}, {10, 2.87}},
        {{0, 1.00}, {1, 1.08}, {1, 1.15}, {1, 1.23}, {2, 1.37}, {3, 1.55}, {5, 1.87}, {8, 2.18}},
    };

    @Test
    void expectedTokensMatchThePublishedTable() {
        for (int length = 1; length <= TOKENS.length; length++) {
            for (int column = 0; column < ALPHAS.length; column++) {
                assertThat(SpeedupTheory.expectedTokens(ALPHAS[column], length))
                        .isCloseTo(TOKENS[length - 1][column], within(5.1e-5));
            }
        }
    }

    @Test
    void expectedTokensAreNeitherOfTheTwoWrongFormulas() {
        double alpha = .7;
        double countsTheSureTokenTwice = (1 - Math.pow(alpha, 5)) / (1 - alpha) + 1;
        double acceptsOneGuessTooMany = alpha * (1 - Math.pow(alpha, 6)) / (1 - alpha);

        assertThat(countsTheSureTokenTwice).isCloseTo(3.7731, within(1e-4));
        assertThat(acceptsOneGuessTooMany).isCloseTo(2.0588, within(1e-4));
        assertThat(SpeedupTheory.expectedTokens(alpha, 5)).isCloseTo(2.9412, within(1e-4));
    }

    @Test
    void limitsAreThoseOfUselessAndPerfectDrafters() {
        assertThat(SpeedupTheory.expectedTokens(0, 5)).isEqualTo(1);
        assertThat(SpeedupTheory.expectedTokens(1, 5)).isEqualTo(6);
        assertThat(SpeedupTheory.expectedTokens(.3, 0)).isCloseTo(1, within(1e-15));
        assertThat(SpeedupTheory.expectedTokens(1 - 1e-12, 5)).isCloseTo(6, within(1e-10));
    }

    @Test
    void bestLengthsMatchThePublishedTable() {
        for (int row = 0; row < COSTS.length; row++) {
            for (int column = 0; column < ALPHAS.length; column++) {
                int best = SpeedupTheory.bestLength(ALPHAS[column], COSTS[row], 100);
                assertThat(best).isEqualTo((int) BEST[row][column][0]);
                assertThat(SpeedupTheory.speedup(ALPHAS[column], best, COSTS[row]))
                        .isCloseTo(BEST[row][column][1], within(.0051));
            }
        }
    }

    @Test
    void theClosedFormFindsTheGridSearchsOptimum() {
        for (double alpha = .02; alpha < .995; alpha += .013) {
            for (double cost = .002; cost < .9; cost *= 1.37) {
                for (int most : new int[] {0, 3, 400}) {
                    int best = SpeedupTheory.bestLength(alpha, cost, most);
                    assertThat(SpeedupTheory.speedup(alpha, best, cost))
                            .describedAs("alpha %s cost %s most %d", alpha, cost, most)
                            .isCloseTo(gridBest(alpha, cost, most), within(1e-12));
                }
            }
        }
    }

    @Test
    void draftingPaysExactlyWhenAlphaExceedsTheCost() {
        assertThat(SpeedupTheory.bestLength(.3, .3, 10)).isZero();
        assertThat(SpeedupTheory.bestLength(.3001, .3, 10)).isPositive();
        assertThat(SpeedupTheory.bestLength(1, .5, 10)).isEqualTo(10);
        assertThat(SpeedupTheory.bestLength(.5, 0, 10)).isEqualTo(10);
    }

    @Test
    void measuredTimesGiveTheSimpleFormulaWhenPassesCostTheSame() {
        double tokens = SpeedupTheory.expectedTokens(.8, 4);

        assertThat(SpeedupTheory.speedup(tokens, 10, 4, 10, 0))
                .isCloseTo(SpeedupTheory.speedup(.8, 4, .1), within(1e-12));
    }

    @Test
    void otherCostsFollowTheirDefinitions() {
        assertThat(SpeedupTheory.memoryBoundSpeedup(3, .1, 5)).isCloseTo(2, within(1e-15));
    }

    @Test
    void argumentsOutsideTheirRangeAreRefused() {
        assertThatThrownBy(() -> SpeedupTheory.expectedTokens(1.1, 2))
                .hasMessage("alpha 1.1 must be in [0, 1]");
        assertThatThrownBy(() -> SpeedupTheory.expectedTokens(.5, -1))
                .hasMessage("draft length -1 is negative");
        assertThatThrownBy(() -> SpeedupTheory.speedup(.5, 1, -1))
                .hasMessage("cost ratio -1.0 must be 0 or more");
    }

    private static double gridBest(double alpha, double cost, int most) {
        double best = 1;
        for (int length = 0; length <= most; length++) {
            best = Math.max(best, SpeedupTheory.speedup(alpha, length, cost));
        }
        return best;
    }
}
