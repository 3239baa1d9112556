package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.acceptance.LenienceRule;
import dev.outrider.engine.acceptance.RelaxedTopKRule;
import dev.outrider.engine.acceptance.TypicalAcceptanceRule;
import dev.outrider.engine.check.Compatibility;
import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Rules that trade exactness for acceptance: enumeration shows that they are not exact, closed
/// forms say by how much, and they are never the default.
class LossyRulesTest {
    private static final double[] LONG_TAIL = {.5, .3, .15, .05};
    private static final double[] EVEN = {.25, .25, .25, .25};
    private static final double[] P = {.5, .3, .2};
    private static final double[] Q = {.2, .5, .3};
    private static final TreePlan ONE = new TreePlan.Chain(1);
    private static final TreePlan BEST = new TreePlan.LevelWidths(List.of(1));
    private static final TypicalAcceptanceRule TYPICAL = new TypicalAcceptanceRule(.09, .3);

    static Stream<AcceptanceRule> rules() {
        return Stream.of(TYPICAL, new LenienceRule(.5), new RelaxedTopKRule(2, 0));
    }

    /// Distributions of the first token, computed by hand.
    static Stream<Arguments> biases() {
        double nats = Math.log(.5 / .15) + 1e-3;
        return Stream.of(
                // Above the threshold .09: tokens 0, 1 and 2, accepted whenever they are guessed.
                Arguments.of(TYPICAL, ONE, LONG_TAIL, EVEN, List.of(.375, .325, .2875, .0125)),
                Arguments.of(TYPICAL, BEST, LONG_TAIL, EVEN, List.of(1.0, 0.0, 0.0, 0.0)),
                Arguments.of(
                        new RelaxedTopKRule(2, 0),
                        ONE,
                        LONG_TAIL,
                        EVEN,
                        List.of(.5, .4, .075, .025)),
                Arguments.of(
                        new RelaxedTopKRule(1, nats),
                        ONE,
                        LONG_TAIL,
                        EVEN,
                        List.of(.375, .325, .2875, .0125)),
                Arguments.of(
                        new RelaxedTopKRule(1, 0),
                        BEST,
                        LONG_TAIL,
                        EVEN,
                        List.of(1.0, 0.0, 0.0, 0.0)),
                Arguments.of(new LenienceRule(.8), ONE, P, Q, List.of(.375, .375, .25)),
                Arguments.of(new LenienceRule(.5), ONE, P, Q, List.of(.2, .5, .3)));
    }

    @ParameterizedTest
    @MethodSource("biases")
    void theBiasEqualsTheFormula(
            AcceptanceRule rule, TreePlan plan, double[] p, double[] q, List<Double> expected) {
        var target = TableModel.constant(p);
        var drafter = new TableDrafter(TableModel.constant(q), plan, Toy.PLAIN);
        var emitted =
                ExactDistribution.emitted(
                        Toy.decoder(TableTarget.of(target), drafter, rule),
                        Toy.PLAIN,
                        Toy.PROMPT,
                        1);
        var distribution = ExactDistribution.completed(emitted, target, Toy.PLAIN, Toy.PROMPT, 1);

        for (int token = 0; token < p.length; token++) {
            assertThat(distribution.getOrDefault(List.of(token), 0.0))
                    .isCloseTo(expected.get(token), within(1e-6));
        }
        assertThat(
                        ExactDistribution.distance(
                                distribution,
                                ExactDistribution.ofTarget(target, Toy.PLAIN, Toy.PROMPT, 1)))
                .isGreaterThan(.09);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void noLossyRuleIsExact(AcceptanceRule rule) {
        var plan =
                rule instanceof LenienceRule
                        ? new TreePlan.Chain(2)
                        : new TreePlan.SampledWithReplacement(List.of(2, 1));
        double worst = 0;
        for (int seed = 0; seed < 6; seed++) {
            var target = TableModel.random(3, DistributionStyle.DENSE, 700 + seed);
            var draft = TableModel.random(3, DistributionStyle.DENSE, 800 + seed);
            var decoder =
                    Toy.decoder(
                            TableTarget.of(target), new TableDrafter(draft, plan, Toy.PLAIN), rule);
            worst =
                    Math.max(
                            worst,
                            ExactDistribution.error(decoder, target, Toy.PLAIN, Toy.PROMPT, 1, 3));
        }
        assertThat(rule.traits().lossless()).isFalse();
        assertThat(worst).isGreaterThan(.1);
    }

    /// Leviathan et al., appendix A.5.
    @ParameterizedTest
    @MethodSource("factors")
    void lenienceBoundsTheFactorOfEveryProbability(double factor) {
        for (var style : DistributionStyle.values()) {
            var target = TableModel.random(3, style, 31);
            var draft = TableModel.random(3, DistributionStyle.DENSE, 32);
            var emitted =
                    ExactDistribution.emitted(
                            Toy.decoder(
                                    TableTarget.of(target),
                                    new TableDrafter(draft, ONE, Toy.PLAIN),
                                    new LenienceRule(factor)),
                            Toy.PLAIN,
                            Toy.PROMPT,
                            1);
            var distribution =
                    ExactDistribution.completed(emitted, target, Toy.PLAIN, Toy.PROMPT, 1);
            double[] p = target.distribution(Toy.PLAIN, Toy.PROMPT);
            distribution.forEach((token, mass) ->
                    assertThat(mass).isLessThanOrEqualTo(p[token.getFirst()] / factor + 1e-12));
        }
    }

    static Stream<Double> factors() {
        return Stream.of(.1, .3, .5, .9);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void atTemperatureZeroTheyAreGreedy(AcceptanceRule rule) {
        for (int seed = 0; seed < 4; seed++) {
            var target = TableModel.random(4, DistributionStyle.DENSE, 900 + seed);
            var drafter =
                    new TableDrafter(
                            TableModel.random(4, DistributionStyle.DENSE, 950 + seed),
                            new TreePlan.Chain(2),
                            Toy.PLAIN);
            var decoder = Toy.decoder(TableTarget.of(target), drafter, rule);

            ExactDistribution.assertExact(
                    decoder, target, SamplingPolicy.argmax(), Toy.PROMPT, 2, 4);
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void lossyRulesNeedAllowLossy(AcceptanceRule rule) {
        var traits = new TableDrafter(TableModel.constant(P), ONE, Toy.PLAIN).traits();

        assertThatThrownBy(() ->
                        Compatibility.check(
                                traits, rule.traits(), Toy.PLAIN, LossyPairings.inFile(false)))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        "LOSSY_NOT_ALLOWED: acceptance rule '%s' does not follow the target's distribution\n  Choose a lossless rule such as 'token' for chains or 'sample-and-match' for any tree, or set allowLossy: true to run it and label its results."
                                .formatted(rule.traits().name()));
        assertThat(
                        Compatibility.check(
                                traits, rule.traits(), Toy.PLAIN, LossyPairings.inFile(true)))
                .isEqualTo(Losslessness.LOSSY);
    }
}
