package dev.outrider.common.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.common.sampling.Truncation.Nucleus;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests top-p over large vocabularies: compares the fast method for few kept tokens with a pass over the whole vocabulary.
class NucleusTest {
    private static final int VOCABULARY = 20_000;

    @Test
    void theShortWayKeepsWhatTheLongWayKeeps() {
        for (int seed = 0; seed < 20; seed++) {
            var random = new Random(seed);
            var policy =
                    new SamplingPolicy(
                            .6 + .4 * random.nextDouble(), 0, .5 + .4 * random.nextDouble(), 0, 1);
            float[] logits = steep(random);
            var support = new WeightedTokens();

            assertThat(Nucleus.keep(policy, MemorySegment.ofArray(logits), VOCABULARY, support))
                    .isTrue();
            double[] distribution = distribution(policy, logits);
            double[] longWay = longWay(policy, logits);
            for (int token = 0; token < VOCABULARY; token++) {
                assertThat(distribution[token]).isCloseTo(longWay[token], within(1e-14));
            }
        }
    }

    @Test
    void theSumOfAllWeightsIsGoodToFiveDigits() {
        for (int seed = 0; seed < 20; seed++) {
            float[] logits = steep(new Random(seed));
            float best = logits[0];
            for (float logit : logits) {
                best = Math.max(best, logit);
            }
            double exact = 0;
            for (float logit : logits) {
                exact += Math.exp(logit - best);
            }
            var support = new WeightedTokens();
            support.tail().add(MemorySegment.ofArray(logits), VOCABULARY, 1);
            for (double floor : new double[] {.001, .1, 1e-5}) {
                support.clear();
                double total = support.tail().collect(floor, support);

                assertThat(total / exact).isCloseTo(1, within(5e-6));
            }
        }
    }

    @Test
    void aTokenThatStoodOutBeforeDoesNotHideABetterOne() {
        var logits = new float[VOCABULARY];
        Arrays.fill(logits, -20);
        logits[0] = 0;
        logits[600] = 7.9f;
        logits[19_000] = 16;
        var policy = new SamplingPolicy(1, 0, .9, 0, 1);

        assertThat(distribution(policy, logits))
                .containsExactly(longWay(policy, logits), within(1e-14));
        assertThat(distribution(policy, logits)[19_000]).isCloseTo(1, within(1e-14));
    }

    @Test
    void theBestTokenMayComeLateAndFarAboveTheFirst() {
        var policy = new SamplingPolicy(1, 0, .9, 0, 1);
        for (int at : new int[] {0, 511, 512, 8191, 8192, 16_383, VOCABULARY - 1}) {
            for (float above : new float[] {1, 5, 40, 300, 1e6f}) {
                float[] logits = steep(new Random(at));
                Arrays.fill(logits, 0, 600, Float.NEGATIVE_INFINITY);
                logits[at] = above;

                double[] distribution = distribution(policy, logits);
                double[] longWay = longWay(policy, logits);
                for (int token = 0; token < VOCABULARY; token++) {
                    assertThat(distribution[token]).isCloseTo(longWay[token], within(1e-14));
                }
            }
        }
    }

    @Test
    void risingLogitsAreAddedUpAsWell() {
        var logits = new float[VOCABULARY];
        double exact = 0;
        for (int token = 0; token < VOCABULARY; token++) {
            logits[token] = .01f * token;
            exact += Math.exp(logits[token] - .01f * (VOCABULARY - 1));
        }
        var tail = new TailSum();
        tail.add(MemorySegment.ofArray(logits), VOCABULARY, 1);

        assertThat(tail.collect(.001, new WeightedTokens()) / exact).isCloseTo(1, within(1e-6));
    }

    @Test
    void whatIsNoNumberIsReportedWhereverItIs() {
        for (int at : new int[] {0, 600, 9000, VOCABULARY - 1}) {
            for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
                float[] logits = steep(new Random(1));
                logits[at] = bad;

                assertThatThrownBy(() -> distribution(new SamplingPolicy(1, 0, .9, 0, 1), logits))
                        .hasMessageContaining("the largest logit is " + bad);
            }
        }
    }

    @Test
    void aFlatterDistributionIsCollectedFromALowerFloor() {
        var policy = new SamplingPolicy(1, 0, .9, 0, 1);
        for (int seed = 0; seed < 10; seed++) {
            var random = new Random(seed);
            var logits = new float[VOCABULARY];
            for (int token = 0; token < VOCABULARY; token++) {
                int rank = (int) ((token * 7919L + 13) % VOCABULARY);
                double flat = rank < 3000 ? -7.5 : -30;
                logits[token] = (float) (rank == 0 ? 0 : flat + .3 * random.nextGaussian());
            }
            var support = new WeightedTokens();

            assertThat(Nucleus.keep(policy, MemorySegment.ofArray(logits), VOCABULARY, support))
                    .isTrue();
            assertThat(support.size()).isGreaterThan(1500);
            double[] distribution = distribution(policy, logits);
            double[] longWay = longWay(policy, logits);
            for (int token = 0; token < VOCABULARY; token++) {
                assertThat(distribution[token]).isCloseTo(longWay[token], within(1e-14));
            }
        }
    }

    @Test
    void maskedRowsHaveADistributionAsWell() {
        var policy = new SamplingPolicy(1, 0, .9, 0, 1);
        var logits = new float[VOCABULARY];
        Arrays.fill(logits, -Float.MAX_VALUE);
        logits[7] = -2e38f;

        assertThat(distribution(policy, logits)[7]).isEqualTo(1);
    }

    @Test
    void halfOfEquallyProbableTokensIsHalfOfThem() {
        var policy = new SamplingPolicy(1, 0, .5, 0, 1);
        var logits = new float[8192];
        var support = new WeightedTokens();
        Distributions.fill(
                policy,
                MemorySegment.ofArray(logits),
                TokenHistory.empty(),
                new double[8192],
                support);

        assertThat(support.size()).isEqualTo(4096);
        assertThat(support.token(4095)).isEqualTo(4095);
    }

    @Test
    void aFlatDistributionGoesTheLongWay() {
        var policy = new SamplingPolicy(1, 0, .9, 0, 1);
        var random = new Random(1);
        var logits = new float[VOCABULARY];
        for (int token = 0; token < VOCABULARY; token++) {
            logits[token] = (float) (random.nextGaussian() * .1 - (token == 7 ? 0 : 9));
        }
        var support = new WeightedTokens();

        assertThat(Nucleus.keep(policy, MemorySegment.ofArray(logits), VOCABULARY, support))
                .isFalse();
        assertThat(distribution(policy, logits)).containsExactly(longWay(policy, logits));
    }

    @Test
    void memoryThatIsUsedAgainHoldsNothingOfTheDistributionBefore() {
        var policy = new SamplingPolicy(1, 0, .8, .05, 1);
        var distribution = new double[VOCABULARY];
        var support = new WeightedTokens();
        for (int seed = 0; seed < 6; seed++) {
            float[] logits = seed % 3 == 2 ? new float[VOCABULARY] : steep(new Random(seed));
            Distributions.fill(
                    policy,
                    MemorySegment.ofArray(logits),
                    TokenHistory.empty(),
                    distribution,
                    support);

            assertThat(distribution).containsExactly(distribution(policy, logits));
            var scanned = Support.of(distribution);
            assertThat(support.size()).isEqualTo(scanned.size());
            for (int index = 0; index < support.size(); index++) {
                assertThat(support.token(index)).isEqualTo(scanned.token(index));
            }
        }
    }

    /// Logits as language models have them: falling with the logarithm of the rank.
    private static float[] steep(Random random) {
        var logits = new float[VOCABULARY];
        for (int token = 0; token < VOCABULARY; token++) {
            int rank = (int) ((token * 7919L + 13) % VOCABULARY);
            logits[token] = (float) (-2 * Math.log(rank + 1) + .4 * random.nextGaussian());
        }
        return logits;
    }

    private static double[] distribution(SamplingPolicy policy, float[] logits) {
        return Distributions.of(
                policy, MemorySegment.ofArray(logits), VOCABULARY, TokenHistory.empty());
    }

    private static double[] longWay(SamplingPolicy policy, float[] logits) {
        double[] weights = new double[VOCABULARY];
        for (int token = 0; token < VOCABULARY; token++) {
            weights[token] = logits[token];
        }
        double total = Softmax.weights(weights, Logits.max(weights), policy.temperature());
        double kept = Truncation.keepTopP(weights, total, policy.topP());
        Softmax.scale(weights, 1 / kept);
        return weights;
    }
}
