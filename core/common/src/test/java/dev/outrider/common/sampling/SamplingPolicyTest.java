package dev.outrider.common.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SamplingPolicyTest {
    private static final float GONE = Float.NEGATIVE_INFINITY;
    private static final TokenHistory NOTHING = TokenHistory.empty();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 17, 300, 1023, 1025, 5000})
    void distributionEqualsThePerTokenDefinitionForRandomPolicies(int vocabulary) {
        var random = new SplittableRandom(vocabulary);
        for (int trial = 0; trial < 60; trial++) {
            var policy = randomPolicy(random, vocabulary);
            float[] logits = randomLogits(random, vocabulary);
            var history = randomHistory(random, vocabulary);

            double[] distribution = distribution(policy, logits, history);
            double[] expected = ReferenceProcessors.distribution(policy, logits, history);

            for (int token = 0; token < vocabulary; token++) {
                assertThat(distribution[token])
                        .describedAs("%s, trial %d, token %d", policy, trial, token)
                        .isCloseTo(expected[token], within(1e-14 + 1e-13 * expected[token]));
            }
        }
    }

    @Test
    void topKKeepsEveryTokenTiedWithTheKth() {
        double[] distribution = distribution(new SamplingPolicy(1, 2, 1, 0, 1), 3, 2, 2, 1, 2);

        assertThat(distribution[3]).isZero();
        assertThat(distribution[1])
                .isPositive()
                .isEqualTo(distribution[2])
                .isEqualTo(distribution[4]);
    }

    @Test
    void topKOfOneKeepsAllTokensTiedForTheBest() {
        assertThat(distribution(new SamplingPolicy(1, 1, 1, 0, 1), 1, 4, 4, 0))
                .containsExactly(0, .5, .5, 0);
    }

    @Test
    void topKLargerThanAHeapSelectsByThreshold() {
        var logits = new float[4000];
        for (int token = 0; token < logits.length; token++) {
            logits[token] = (token * 37) % 4000 / 1000f;
        }
        double[] distribution = distribution(new SamplingPolicy(1, 2000, 1, 0, 1), logits);

        assertThat(Arrays.stream(distribution).filter(mass -> mass > 0).count()).isEqualTo(2000);
    }

    @Test
    void topPDropsATokenWhenTheMassBeforeItEqualsTopPExactly() {
        assertThat(distribution(new SamplingPolicy(1, 0, .5, 0, 1), 0, 0, 0, 0))
                .containsExactly(.5, .5, 0, 0);
    }

    @Test
    void topPKeepsATokenWhenTheMassBeforeItIsJustBelowTopP() {
        assertThat(distribution(new SamplingPolicy(1, 0, Math.nextUp(.5), 0, 1), 0, 0, 0, 0))
                .satisfies(
                        distribution ->
                                assertThat(distribution[2]).isCloseTo(1 / 3.0, within(1e-15)),
                        distribution -> assertThat(distribution[3]).isZero());
    }

    @Test
    void topPAlwaysKeepsTheBestToken() {
        assertThat(distribution(new SamplingPolicy(1, 0, 1e-12, 0, 1), 1, 3, 2))
                .containsExactly(0, 1, 0);
    }

    @Test
    void topPBreaksTiesByLowerId() {
        assertThat(distribution(new SamplingPolicy(1, 0, .3, 0, 1), 5, 1, 5, 5, 1))
                .containsExactly(1, 0, 0, 0, 0);
    }

    @Test
    void minPKeepsATokenAtExactlyTheFraction() {
        assertThat(distribution(new SamplingPolicy(1, 0, 1, 1, 1), 2, 2, 1))
                .containsExactly(.5, .5, 0);
    }

    @ParameterizedTest
    @CsvSource({"0", "1e-6", "9.99e-6"})
    void temperaturesBelowTheLimitAreArgmaxWithTiesToTheLowestId(double temperature) {
        var policy = SamplingPolicy.atTemperature(temperature);

        assertThat(policy.greedy()).isTrue();
        assertThat(distribution(policy, 1, 7, 7, 2)).containsExactly(0, 1, 0, 0);
    }

    @Test
    void smallestSamplingTemperatureIsStillADistribution() {
        assertThat(distribution(SamplingPolicy.atTemperature(1e-5), 1, 7, 7, 2))
                .containsExactly(0, .5, .5, 0);
    }

    @Test
    void minusInfinityLogitsHaveExactlyZeroMass() {
        double[] distribution = distribution(SamplingPolicy.atTemperature(1), GONE, 0, GONE, 0);

        assertThat(distribution).containsExactly(0, .5, 0, .5);
    }

    @Test
    void minusInfinityLogitsSurviveEveryProcessor() {
        assertThat(distribution(new SamplingPolicy(.5, 3, .9, .01, 1.3), GONE, 0, GONE, GONE))
                .containsExactly(0, 1, 0, 0);
    }

    @Test
    void repetitionPenaltyReadsTheNodesOwnPath() {
        var policy = new SamplingPolicy(1, 0, 1, 0, 2);
        var committed = TokenHistory.of(0);

        double[] onPath = distribution(policy, new float[] {2, 2, -1}, committed.followedBy(2));
        double[] offPath = distribution(policy, new float[] {2, 2, -1}, committed.followedBy(1));

        assertThat(onPath[2] / onPath[1]).isCloseTo(Math.exp(-4), within(1e-14));
        assertThat(offPath[2] / offPath[1]).isCloseTo(Math.exp(-2), within(1e-14));
    }

    @Test
    void repetitionPenaltyCanMoveTheArgmax() {
        var policy = new SamplingPolicy(0, 0, 1, 0, 1.5);

        assertThat(Distributions.mode(policy, segment(3, 2.5f), 2, TokenHistory.of(0)))
                .isEqualTo(1);
        assertThat(Distributions.mode(policy, segment(3, 2.5f), 2, NOTHING)).isZero();
    }

    @Test
    void penaltyIgnoresHistoryOutsideTheVocabulary() {
        var policy = new SamplingPolicy(1, 0, 1, 0, 1.5);

        assertThat(distribution(policy, new float[] {0, 0}, TokenHistory.of(5)))
                .containsExactly(.5, .5);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 2047, 2048, 2049, 9000})
    void argmaxFindsTheLowestIdOfTheLargestLogit(int vocabulary) {
        var random = new SplittableRandom(vocabulary);
        for (int trial = 0; trial < 30; trial++) {
            float[] logits = randomLogits(random, vocabulary);
            int expected = 0;
            for (int token = 1; token < vocabulary; token++) {
                if (logits[token] > logits[expected]) {
                    expected = token;
                }
            }
            assertThat(
                            Distributions.mode(
                                    SamplingPolicy.argmax(), segment(logits), vocabulary, NOTHING))
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY})
    void brokenLogitsAreReported(float broken) {
        for (var policy :
                new SamplingPolicy[] {SamplingPolicy.argmax(), SamplingPolicy.atTemperature(1)}) {
            for (int position : new int[] {0, 2500, 4999}) {
                var logits = new float[5000];
                logits[position] = broken;
                assertThatThrownBy(() -> distribution(policy, logits))
                        .isInstanceOf(OutriderException.class)
                        .hasMessage(
                                "CONTRACT_BROKEN: the largest logit is %s, expected a finite number\n  Check the checkpoint for NaN weights, or choose a back end with a wider number format.",
                                broken);
            }
        }
    }

    @Test
    void aRowOfMinusInfinityIsReported() {
        assertThatThrownBy(() -> distribution(SamplingPolicy.argmax(), GONE, GONE))
                .hasMessageStartingWith("CONTRACT_BROKEN: the largest logit is -Infinity");
    }

    @Test
    void exponentialIsAccurateToAFewUnitsInTheLastPlace() {
        var random = new SplittableRandom(7);
        for (int trial = 0; trial < 100_000; trial++) {
            double x = random.nextDouble() * Softmax.ZERO_BELOW;
            double expected = Math.exp(x);
            assertThat(Math.abs(Softmax.exp(x) - expected))
                    .isLessThanOrEqualTo(4 * Math.ulp(expected));
        }
        assertThat(Softmax.exp(0)).isEqualTo(1);
        assertThat(Softmax.exp(Softmax.ZERO_BELOW - 1)).isZero();
        assertThat(Softmax.exp(Double.NEGATIVE_INFINITY)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 1, 0, 1, temperature -1.0 must be 0 or more and below 1e6",
        "NaN, 0, 1, 0, 1, temperature NaN must be 0 or more and below 1e6",
        "1e300, 0, 1, 0, 1, temperature 1.0E300 must be 0 or more and below 1e6",
        "1, -1, 1, 0, 1, topK -1.0 must be 0 (off) or more",
        "1, 0, 0, 0, 1, 'topP 0.0 must be in (0, 1]'",
        "1, 0, 1, 2, 1, 'minP 2.0 must be in [0, 1]'",
        "1, 0, 1, 0, 0, repetitionPenalty 0.0 must be above 0 and below 1e6",
        "1, 0, 1, 0, 1e6, repetitionPenalty 1000000.0 must be above 0 and below 1e6"
    })
    void impossiblePoliciesAreRefused(
            double temperature,
            int topK,
            double topP,
            double minP,
            double penalty,
            String message) {
        assertThatThrownBy(() -> new SamplingPolicy(temperature, topK, topP, minP, penalty))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private static SamplingPolicy randomPolicy(SplittableRandom random, int vocabulary) {
        return new SamplingPolicy(
                random.nextInt(6) == 0 ? 0 : .2 + 2 * random.nextDouble(),
                random.nextBoolean() ? 0 : 1 + random.nextInt(vocabulary),
                random.nextBoolean() ? 1 : .05 + .95 * random.nextDouble(),
                random.nextInt(3) > 0 ? 0 : .5 * random.nextDouble(),
                random.nextBoolean() ? 1 : .5 + random.nextDouble());
    }

    /// Some rows are smooth, some full of ties, some partly removed.
    private static float[] randomLogits(SplittableRandom random, int vocabulary) {
        var logits = new float[vocabulary];
        double scale = random.nextDouble() * 12;
        boolean tied = random.nextInt(3) == 0;
        boolean holes = random.nextInt(3) == 0;
        for (int token = 0; token < vocabulary; token++) {
            double value = (random.nextDouble() - .5) * scale;
            logits[token] = (float) (tied ? Math.rint(value) : value);
            if (holes && token > 0 && random.nextBoolean()) {
                logits[token] = GONE;
            }
        }
        return logits;
    }

    private static TokenHistory randomHistory(SplittableRandom random, int vocabulary) {
        int[] committed = random.ints(random.nextInt(6), 0, vocabulary).toArray();
        return TokenHistory.of(committed).followedBy(random.nextInt(vocabulary));
    }

    private static double[] distribution(SamplingPolicy policy, float... logits) {
        return distribution(policy, logits, NOTHING);
    }

    private static double[] distribution(
            SamplingPolicy policy, float[] logits, TokenHistory history) {
        return Distributions.of(policy, segment(logits), logits.length, history);
    }

    private static MemorySegment segment(float... logits) {
        return Arena.ofAuto().allocateFrom(ValueLayout.JAVA_FLOAT, logits);
    }
}
