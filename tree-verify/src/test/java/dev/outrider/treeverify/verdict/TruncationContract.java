package dev.outrider.treeverify.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.TokenHistory;
import dev.outrider.spi.TokenTree;
import dev.outrider.treeverify.verdict.PlainTruncation.Kept;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is kept of a row is what [SamplingPolicy] keeps, with the same probabilities.
abstract class TruncationContract {
    static final int ROWS = 8;

    private static final float GONE = Float.NEGATIVE_INFINITY;

    /// How far 32-bit floats may be off: in the mass before a token, and relative in a probability.
    private static final double ROUNDING = 1e-5;

    /// What stays of each row of a request.
    abstract List<Kept> kept(VerdictRequest request, float[] logits);

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 300, 1031})
    void randomLawsAreThePolicys(int vocabulary) {
        var random = new Random(vocabulary);
        int decidedOtherwise = 0;
        for (int round = 0; round < 60; round++) {
            var policy = VerdictCase.truncated(0.3 + 2 * random.nextDouble(), vocabulary, random);
            decidedOtherwise += compare(policy, rows(vocabulary, random), vocabulary);
        }
        assertThat(decidedOtherwise).isLessThan(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {32_000, 131_072})
    void lawsOverLargeVocabulariesAreThePolicys(int vocabulary) {
        var random = new Random(vocabulary);
        for (var policy :
                List.of(
                        new SamplingPolicy(1, 50, 1, 0, 1),
                        new SamplingPolicy(1, 0, 0.9, 0, 1),
                        new SamplingPolicy(1.5, 0, 0.99, 0, 1),
                        new SamplingPolicy(0.7, vocabulary / 2, 1, 0, 1),
                        new SamplingPolicy(1, 0, 1, 0.01, 1),
                        new SamplingPolicy(0.7, 40, 0.95, 0.02, 1))) {
            compare(policy, falling(vocabulary, random), vocabulary);
        }
    }

    /// The law's support and the truncations that make it.
    record Edge(String name, SamplingPolicy policy, float[] logits, int... support) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Edge> edges() {
        float[] tied = {1, 3, 3, 2, 3, 0, -1, 2};
        float[] equal = {2, 2, 2, 2, 2, 2, 2, 2};
        float[] restricted = {GONE, 4, GONE, 3, GONE, GONE, 1, GONE};
        float[] masked = {-1e30f, 4, -1e30f, 3, 0, -1e30f, 1, -1e30f};
        float[] small = {1, 3e-30f, 1e-30f, 2e-30f, 0, -1e-30f, 4e-30f, -5};
        return List.of(
                new Edge("best alone", topK(1), restricted, 1),
                new Edge("all equal to the best", topK(1), tied, 1, 2, 4),
                new Edge("all equal to the second", topK(2), tied, 1, 2, 4),
                new Edge("all equal to the fifth", topK(4), tied, 1, 2, 3, 4, 7),
                new Edge("as many as there are", topK(8), tied, 0, 1, 2, 3, 4, 5, 6, 7),
                new Edge("more than there are", topK(9), tied, 0, 1, 2, 3, 4, 5, 6, 7),
                new Edge("more than are possible", topK(5), restricted, 1, 3, 6),
                new Edge("equal ones of no weight", topK(5), masked, 1, 3, 4, 6),
                new Edge("logits that hardly differ", topK(4), small, 0, 1, 3, 6),
                new Edge("hardly any mass", topP(1e-12), tied, 1),
                new Edge("half of equal ones", topP(0.5), equal, 0, 1, 2, 3),
                new Edge("a little more than half", topP(0.5001), equal, 0, 1, 2, 3, 4),
                new Edge("nearly all mass", topP(0.99999), restricted, 1, 3, 6),
                new Edge("some of the best", topP(0.4), tied, 1, 2),
                new Edge("some of the second", topP(0.8), tied, 1, 2, 3, 4),
                new Edge("as likely as the best", minP(1), tied, 1, 2, 4),
                new Edge("a third as likely", minP(0.3), tied, 1, 2, 3, 4, 7),
                new Edge("any that are possible", minP(1e-30), restricted, 1, 3, 6),
                new Edge("top-p of what top-k left", both(4, 0.9), tied, 1, 2, 3, 4),
                new Edge("top-p of what top-k left of all", both(8, 0.9), tied, 1, 2, 3, 4, 7),
                new Edge("equal ones under both", both(2, 0.5), equal, 0, 1, 2, 3),
                new Edge("min-p cuts last", new SamplingPolicy(1, 4, 0.9, 0.5, 1), tied, 1, 2, 4),
                new Edge("min-p spares", new SamplingPolicy(1, 0, 0.4, 0.5, 1), tied, 1, 2));
    }

    @ParameterizedTest
    @MethodSource("edges")
    void edgesFallAsThePolicySays(Edge edge) {
        var request = request(1, edge.logits().length, edge.policy());

        var kept = kept(request, edge.logits()).getFirst();

        double[] law = law(request, edge.logits(), 0, kept);
        assertThat(support(law)).containsExactly(edge.support());
        assertThat(law)
                .containsExactly(
                        expected(edge.policy(), edge.logits(), 0, law.length), within(1e-6));
    }

    @Test
    void nothingIsRemovedWithoutTruncation() {
        float[] logits = {0, 2, GONE, -40};
        var request = request(1, 4, SamplingPolicy.atTemperature(0.5));

        var kept = kept(request, logits).getFirst();

        assertThat(kept.limit()).isLessThan(-1e38f);
        assertThat(law(request, logits, 0, kept))
                .containsExactly(
                        expected(SamplingPolicy.atTemperature(0.5), logits, 0, 4), within(1e-6));
    }

    /// How many rows keep another token than the policy, each of them within rounding of `topP`.
    private int compare(SamplingPolicy policy, float[] logits, int vocabulary) {
        int rows = logits.length / vocabulary;
        var request = request(rows, vocabulary, policy);
        var kept = kept(request, logits);
        int decidedOtherwise = 0;
        for (int row = 0; row < rows; row++) {
            double[] actual = law(request, logits, row, kept.get(row));
            double[] expected = expected(policy, logits, row, vocabulary);
            boolean same = true;
            for (int token = 0; token < vocabulary; token++) {
                same &= actual[token] > 0 == expected[token] > 0;
            }
            for (int token = 0; token < vocabulary; token++) {
                if (same) {
                    assertThat(actual[token])
                            .as("%s, row %d, token %d", policy, row, token)
                            .isCloseTo(expected[token], within(ROUNDING * expected[token]));
                } else if (actual[token] > 0 != expected[token] > 0) {
                    assertThat(massBefore(policy, logits, row, vocabulary, token))
                            .as("%s, row %d, token %d", policy, row, token)
                            .isCloseTo(policy.topP(), within(ROUNDING));
                }
            }
            decidedOtherwise += same ? 0 : 1;
        }
        return decidedOtherwise;
    }

    /// The law that the draw and the test compute with.
    private static double[] law(VerdictRequest request, float[] logits, int row, Kept kept) {
        int vocabulary = request.vocabulary();
        float largest = PlainVerdicts.statistics(logits, row, vocabulary, 1).largest();
        return IntStream.range(0, vocabulary)
                .mapToDouble(token -> {
                    float logit = logits[row * vocabulary + token];
                    float power = (logit - largest) * request.inverseTemperature();
                    return kept.has(logit, token) ? Math.exp(power) / kept.sum() : 0;
                })
                .toArray();
    }

    private static double[] expected(
            SamplingPolicy policy, float[] logits, int row, int vocabulary) {
        var memory = MemorySegment.ofArray(logits).asSlice(4L * row * vocabulary, 4L * vocabulary);
        return policy.law(memory, vocabulary, TokenHistory.empty());
    }

    /// The mass before a token in what top-k left.
    private static double massBefore(
            SamplingPolicy policy, float[] logits, int row, int vocabulary, int token) {
        var untruncated = new SamplingPolicy(policy.temperature(), policy.topK(), 1, 0, 1);
        double[] law = expected(untruncated, logits, row, vocabulary);
        return IntStream.range(0, vocabulary)
                .filter(other ->
                        law[other] > law[token] || (law[other] == law[token] && other < token))
                .mapToDouble(other -> law[other])
                .sum();
    }

    private static int[] support(double[] law) {
        return IntStream.range(0, law.length).filter(token -> law[token] > 0).toArray();
    }

    static VerdictRequest request(int rows, int vocabulary, SamplingPolicy policy) {
        return VerdictRequest.oneHot(
                TokenTree.chain(0, new int[rows - 1]), vocabulary, policy, VerdictCase.coins(0));
    }

    /// Rows of logits, some with many equal ones and some with tokens that are not allowed.
    static float[] rows(int vocabulary, Random random) {
        var logits = new float[ROWS * vocabulary];
        for (int row = 0; row < ROWS; row++) {
            double spread = 0.2 + 4 * random.nextDouble();
            boolean coarse = random.nextInt(3) == 0;
            boolean restricted = random.nextInt(3) == 0;
            for (int token = 0; token < vocabulary; token++) {
                double logit = random.nextGaussian() * spread;
                boolean gone = restricted && token > 0 && random.nextBoolean();
                logits[row * vocabulary + token] =
                        gone ? GONE : (float) (coarse ? Math.rint(logit) : logit);
            }
        }
        return logits;
    }

    /// Rows of logits that fall with 1.5 times the logarithm of their rank, in random places.
    static float[] falling(int vocabulary, Random random) {
        var logits = new float[ROWS * vocabulary];
        for (int row = 0; row < ROWS; row++) {
            var tokens = new ArrayList<>(IntStream.range(0, vocabulary).boxed().toList());
            Collections.shuffle(tokens, random);
            for (int rank = 0; rank < vocabulary; rank++) {
                double noise = 0.3 * random.nextGaussian();
                logits[row * vocabulary + tokens.get(rank)] =
                        (float) (12 - 1.5 * Math.log(rank + 1) + noise);
            }
        }
        return logits;
    }

    private static SamplingPolicy topK(int count) {
        return new SamplingPolicy(1, count, 1, 0, 1);
    }

    private static SamplingPolicy topP(double mass) {
        return new SamplingPolicy(1, 0, mass, 0, 1);
    }

    private static SamplingPolicy minP(double part) {
        return new SamplingPolicy(1, 0, 1, part, 1);
    }

    private static SamplingPolicy both(int count, double mass) {
        return new SamplingPolicy(1, count, mass, 0, 1);
    }
}
