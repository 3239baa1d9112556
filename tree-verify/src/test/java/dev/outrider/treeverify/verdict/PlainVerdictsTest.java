package dev.outrider.treeverify.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Selection;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.Verdict.Origin;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The kernels' plain twin against the engine's rules: same coins, same verdict.
class PlainVerdictsTest {
    private static final int ROUNDS = 2000;

    @ParameterizedTest
    @EnumSource
    void decidesAsTheEngineDoes(DeviceRule rule) {
        var random = new Random(rule.name().hashCode());
        int accepted = 0;
        int corrections = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int vocabulary = round % 3 == 0 ? 6 + random.nextInt(20) : 130 + random.nextInt(400);
            var each = VerdictCase.random(rule, vocabulary, 9, round, random);

            var verdict = PlainVerdicts.decide(each.request(), each.logits());

            assertThat(verdict).as("%s", each).isEqualTo(each.ofTheEngine());
            accepted += verdict.acceptedLength();
            corrections += verdict.origin() == Origin.CORRECTION ? 1 : 0;
        }
        assertThat(accepted).as("the cases accept guesses").isGreaterThan(ROUNDS / 8);
        assertThat(corrections).as("and reject some").isBetween(ROUNDS / 10, ROUNDS - 10);
    }

    /// With another round's coins most sampled verdicts differ: the comparison above would see a wrong uniform.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GREEDY")
    void otherCoinsGiveOtherVerdicts(DeviceRule rule) {
        var random = new Random(rule.name().hashCode());
        int different = 0;
        for (int round = 0; round < 200; round++) {
            var each = VerdictCase.random(rule, 300, 9, round, random);
            var other = each.request(VerdictCase.coins(round + 1));
            if (!PlainVerdicts.decide(other, each.logits()).equals(each.ofTheEngine())) {
                different++;
            }
        }
        assertThat(different).isGreaterThan(100);
    }

    /// Tokens of an eighth of the last bit of a 24-bit uniform, drawn by uniforms in the middle of their intervals.
    @Test
    void tokensThatAreLessLikelyThanTheLastBitAreDrawn() {
        int vocabulary = 131_072;
        var logits = new float[vocabulary];
        logits[0] = (float) Math.log(999.0 * (vocabulary - 1));
        var policy = SamplingPolicy.atTemperature(1);
        double unlikely = .001 / (vocabulary - 1);
        int[] drawn =
                IntStream.range(70_000, 70_200)
                        .map(token -> {
                            double uniform = .999 + (token - .5) * unlikely;
                            var request =
                                    VerdictRequest.oneHot(
                                            TokenTree.chain(0),
                                            vocabulary,
                                            policy,
                                            always(uniform));
                            return PlainVerdicts.decide(request, logits).nextToken();
                        })
                        .toArray();

        assertThat(drawn).isSorted();
        assertThat(Arrays.stream(drawn).distinct().count()).isGreaterThan(150);
        // Rounding of the sums may move the intervals, all together.
        assertThat(drawn[100]).isBetween(70_000, 70_200);
    }

    @Test
    void drawsTheWholeLawWhereNothingIsLeft() {
        // All of p lies on the guess, which the coin rejects only because q is larger.
        var request =
                new VerdictRequest(
                        DeviceRule.CHAIN_ONE_HOT,
                        3,
                        1,
                        Truncation.NONE,
                        new int[] {0, 1},
                        new int[] {-1, 0},
                        new int[] {0, 1},
                        new int[] {1, -1},
                        new float[] {1, 0},
                        new float[] {0.5f, 0},
                        new float[2],
                        new float[] {1, 1},
                        SparseLaws.none(2));
        float[] logits = {-200, 0, -200, 0, 0, 0};

        var verdict = PlainVerdicts.decide(request, logits);

        assertThat(verdict.acceptedNodes()).isEmpty();
        assertThat(verdict.nextToken()).isEqualTo(1);
        assertThat(verdict.origin()).isEqualTo(Origin.CORRECTION);
    }

    @Test
    void uniformsStayBelowOne() {
        var coins = always(Math.nextDown(1.0));
        var request =
                VerdictRequest.oneHot(
                        TokenTree.chain(0, 1), 3, SamplingPolicy.atTemperature(1), coins);

        assertThat(request.drawUniforms()).containsOnly(Math.nextDown(1f));
    }

    @Test
    void refusesWhatTheDeviceCannotDecide() {
        var coins = VerdictCase.coins(0);
        var chain = new Draft(TokenTree.chain(0, 1), new Selection.PointMass());
        var penalised = new SamplingPolicy(1, 0, 0.9, 0, 1.1);
        var builder = TokenTree.builder(0);
        builder.add(0, 1);
        builder.add(0, 2);
        var tree = new Draft(builder.build(), new Selection.PointMass());

        assertThat(VerdictRequest.supports(penalised)).isFalse();
        assertThatThrownBy(() -> VerdictRequest.chain(chain, 3, penalised, coins))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("depends on tokens seen before");
        assertThatThrownBy(
                        () -> VerdictRequest.chain(tree, 3, SamplingPolicy.atTemperature(1), coins))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not a chain");
    }

    private static Coins always(double uniform) {
        return new Coins() {
            @Override
            public boolean accept(int node, double numerator, double denominator) {
                throw new AssertionError();
            }

            @Override
            public int draw(StreamRole role, int node, double[] law) {
                throw new AssertionError();
            }

            @Override
            public int[] race(int position, double[] law, int count) {
                throw new AssertionError();
            }

            @Override
            public double uniform(StreamRole role, int node) {
                return uniform;
            }
        };
    }
}
