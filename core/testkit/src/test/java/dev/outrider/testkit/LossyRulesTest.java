package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.acceptance.BuiltInRules;
import dev.outrider.engine.acceptance.BuiltInRules.SimpleRuleFactory;
import dev.outrider.engine.acceptance.LenienceRule;
import dev.outrider.engine.acceptance.RelaxedTopKRule;
import dev.outrider.engine.acceptance.TypicalAcceptanceRule;
import dev.outrider.engine.check.Compatibility;
import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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

    /// Every rule that is not lossless.
    static Stream<AcceptanceRule> rules() {
        return Stream.of(TYPICAL, new LenienceRule(.5), new RelaxedTopKRule(2, 0));
    }

    @Test
    void noLossyRuleIsMissingHere() {
        var lossless =
                BuiltInRules.factories().stream()
                        .filter(factory ->
                                factory instanceof SimpleRuleFactory simple
                                        && simple.rule().traits().lossless());
        assertThat(
                        Stream.concat(
                                lossless.map(AcceptanceRule.Factory::name),
                                rules().map(rule -> rule.traits().name())))
                .containsExactlyInAnyOrderElementsOf(
                        BuiltInRules.factories().stream()
                                .map(AcceptanceRule.Factory::name)
                                .toList());
    }

    /// Returns the distribution of the first token after a draft of one guess: the rule's formula, without its code (A3.9).
    ///
    /// @param p the target's distribution
    /// @param q what the guess is drawn from
    private static double[] formula(AcceptanceRule rule, double[] p, double[] q) {
        return switch (rule) {
            case LenienceRule lenience -> lenient(lenience.factor(), p, q);
            case TypicalAcceptanceRule typical -> {
                double entropy = 0;
                for (double each : p) {
                    entropy -= each * Math.log(each + 1e-5);
                }
                double threshold =
                        Math.min(typical.epsilon(), typical.delta() * Math.exp(-entropy));
                yield keeping(p, q, token -> p[token] > threshold);
            }
            case RelaxedTopKRule relaxed -> {
                double best = DoubleStream.of(p).max().orElseThrow();
                yield keeping(
                        p,
                        q,
                        token ->
                                rank(p, token) < relaxed.topK()
                                        || Math.log(p[token] / best) >= -relaxed.tolerance());
            }
            default ->
                    throw new IllegalArgumentException(
                            "the formula of rule '%s' is missing here"
                                    .formatted(rule.traits().name()));
        };
    }

    /// A guess x is accepted with probability min(1, p(x) / (l q(x))), and otherwise replaced by a token of max(0, p - q).
    private static double[] lenient(double factor, double[] p, double[] q) {
        var kept = new double[p.length];
        var residual = new double[p.length];
        for (int token = 0; token < p.length; token++) {
            kept[token] = Math.min(q[token], p[token] / factor);
            residual[token] = Math.max(0, p[token] - q[token]);
        }
        double rejected = 1 - DoubleStream.of(kept).sum();
        double mass = DoubleStream.of(residual).sum();
        return IntStream.range(0, p.length)
                .mapToDouble(
                        token -> kept[token] + (mass > 0 ? rejected * residual[token] / mass : 0))
                .toArray();
    }

    /// A good guess that is possible is accepted, any other replaced by a token of p.
    private static double[] keeping(double[] p, double[] q, IntPredicate criterion) {
        IntPredicate good = token -> p[token] > 0 && criterion.test(token);
        double replaced =
                IntStream.range(0, p.length)
                        .filter(good.negate())
                        .mapToDouble(token -> q[token])
                        .sum();
        return IntStream.range(0, p.length)
                .mapToDouble(token -> (good.test(token) ? q[token] : 0) + replaced * p[token])
                .toArray();
    }

    /// Returns how many tokens are more probable, or as probable with a lower id.
    private static long rank(double[] p, int token) {
        return IntStream.range(0, p.length)
                .filter(other -> p[other] > p[token] || p[other] == p[token] && other < token)
                .count();
    }

    /// Distributions of the first token, computed by hand.
    static Stream<Arguments> biases() {
        double nats = Math.log(.5 / .15) + 1e-3;
        double[] first = {1, 0, 0, 0};
        return Stream.of(
                // Above the threshold .09: tokens 0, 1 and 2, accepted whenever they are guessed.
                Arguments.of(TYPICAL, LONG_TAIL, EVEN, List.of(.375, .325, .2875, .0125)),
                Arguments.of(TYPICAL, LONG_TAIL, first, List.of(1.0, 0.0, 0.0, 0.0)),
                Arguments.of(
                        new RelaxedTopKRule(2, 0), LONG_TAIL, EVEN, List.of(.5, .4, .075, .025)),
                Arguments.of(
                        new RelaxedTopKRule(1, nats),
                        LONG_TAIL,
                        EVEN,
                        List.of(.375, .325, .2875, .0125)),
                Arguments.of(
                        new RelaxedTopKRule(1, 0), LONG_TAIL, first, List.of(1.0, 0.0, 0.0, 0.0)),
                Arguments.of(new LenienceRule(.8), P, Q, List.of(.375, .375, .25)),
                Arguments.of(new LenienceRule(.5), P, Q, List.of(.2, .5, .3)));
    }

    @ParameterizedTest
    @MethodSource("biases")
    void theFormulaIsBiasedAsByHand(
            AcceptanceRule rule, double[] p, double[] q, List<Double> expected) {
        double[] formula = formula(rule, p, q);

        for (int token = 0; token < p.length; token++) {
            assertThat(formula[token])
                    .isCloseTo(expected.get(token), within(ExactDistribution.TOLERANCE));
        }
        assertThat(error(rule, rule, ONE, TableModel.constant(p), TableModel.constant(q)))
                .isLessThan(ExactDistribution.TOLERANCE);
        var bias =
                IntStream.range(0, p.length)
                        .mapToDouble(token -> Math.abs(formula[token] - p[token]));
        assertThat(bias.max().orElseThrow()).isGreaterThan(.09);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void theOutputFollowsTheFormula(AcceptanceRule rule) {
        for (var style : DistributionStyle.values()) {
            for (var drafted : DistributionStyle.values()) {
                for (var plan : List.of(ONE, BEST)) {
                    var target = TableModel.random(4, style, 41);
                    var draft = TableModel.random(4, drafted, 42);

                    assertThat(error(rule, rule, plan, target, draft))
                            .as("%s, drafted %s by %s", style, drafted, plan)
                            .isLessThan(ExactDistribution.TOLERANCE);
                }
            }
        }
    }

    /// Lenience that draws corrections from p.
    private record WithoutResidual(LenienceRule rule) implements AcceptanceRule {
        @Override
        public RuleTraits traits() {
            return rule.traits();
        }

        @Override
        public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
            var verdict = rule.decide(draft, target, randomness);
            if (verdict.origin() == Verdict.Origin.BONUS) {
                return verdict;
            }
            int node = verdict.lastNode();
            int next = randomness.draw(Randomness.Role.RESIDUAL, node, target.distribution(node));
            return new Verdict(verdict.acceptedNodes(), next, Verdict.Origin.CORRECTION);
        }
    }

    @Test
    void aFaultyRuleMissesTheFormula() {
        var rule = new LenienceRule(.8);

        assertThat(
                        error(
                                new WithoutResidual(rule),
                                rule,
                                ONE,
                                TableModel.constant(P),
                                TableModel.constant(Q)))
                .isGreaterThan(.05);
    }

    /// Returns the largest difference between what a rule emits and the formula of another one.
    private static double error(
            AcceptanceRule rule,
            AcceptanceRule formula,
            TreePlan plan,
            TableModel target,
            TableModel draft) {
        var drafter = new TableDrafter(draft, plan, Toy.PLAIN);
        var emitted =
                ExactDistribution.emitted(
                        Toy.decoder(TableTarget.of(target), drafter, rule),
                        Toy.PLAIN,
                        Toy.PROMPT,
                        1);
        var distribution = ExactDistribution.completed(emitted, target, Toy.PLAIN, Toy.PROMPT, 1);
        double[] expected =
                formula(
                        formula,
                        target.distribution(Toy.PLAIN, Toy.PROMPT),
                        draft.distribution(
                                plan.equals(BEST) ? SamplingPolicy.argmax() : Toy.PLAIN,
                                Toy.PROMPT));
        return IntStream.range(0, expected.length)
                .mapToDouble(token ->
                        Math.abs(distribution.getOrDefault(List.of(token), 0.0) - expected[token]))
                .max()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void noLossyRuleIsExact(AcceptanceRule rule) {
        var plan =
                rule.traits().shape() == TreeShape.CHAIN
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
