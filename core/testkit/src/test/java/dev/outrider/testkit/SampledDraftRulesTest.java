package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.KSequentialRule;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The rules that divide by q on chains and trees, by enumeration in the production loop, and against the
/// closed forms and worked numbers of their papers (docs/reference/algorithms.md A2, A3).
class SampledDraftRulesTest {
    private static final List<SamplingPolicy> POLICIES =
            List.of(Toy.PLAIN, new SamplingPolicy(1.4, 2, 1, .1, 1.5));
    private static final List<List<Integer>> SMALL_TREES =
            List.of(List.of(2), List.of(1, 2), List.of(2, 1), List.of(1, 1, 2));
    private static final int PAIRS = Boolean.getBoolean("outrider.nightly") ? 5 : 2;

    private static final double[] P = {.5, .3, .2};
    private static final double[] Q = {.2, .5, .3};

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void blockVerificationIsExact(DistributionStyle target, DistributionStyle draft) {
        for (int length = 1; length <= 3; length++) {
            assertExact(new BlockVerificationRule(), new TreePlan.Chain(length), target, draft, 3);
        }
        assertExact(new BlockVerificationRule(), new TreePlan.Chain(2), target, draft, 4);
    }

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void rulesForIndependentSiblingsAreExact(DistributionStyle target, DistributionStyle draft) {
        for (var rule : List.of(new MultiStepRule(), new KSequentialRule(), new TraversalRule())) {
            assertExact(rule, independent(3), target, draft, 3);
            assertExact(rule, independent(2, 1), target, draft, 3);
            assertExact(rule, independent(1, 2), target, draft, 3);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void rulesForDistinctSiblingsAreExact(DistributionStyle target, DistributionStyle draft) {
        for (var rule : List.of(new WithoutReplacementRule(), new TraversalRule())) {
            for (int width = 1; width <= 3; width++) {
                assertExact(rule, distinct(width), target, draft, 3);
            }
            assertExact(rule, distinct(2, 1), target, draft, 3);
            assertExact(rule, distinct(1, 2), target, draft, 3);
        }
    }

    @Test
    void twoLevelsOfTwoSiblingsAreExact() {
        for (var rule : List.of(new MultiStepRule(), new TraversalRule(), new KSequentialRule())) {
            assertExact(
                    rule, independent(2, 2), DistributionStyle.DENSE, DistributionStyle.DENSE, 3);
        }
        for (var rule : List.of(new WithoutReplacementRule(), new TraversalRule())) {
            assertExact(rule, distinct(2, 2), DistributionStyle.DENSE, DistributionStyle.DENSE, 3);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void blockVerificationNeverAcceptsLessThanTokenRejection(
            DistributionStyle target, DistributionStyle draft) {
        var one = new TreePlan.Chain(1);
        assertThat(length(new BlockVerificationRule(), one, target, draft))
                .isCloseTo(length(new TokenRejectionRule(), one, target, draft), within(1e-12));
        var three = new TreePlan.Chain(3);
        assertThat(length(new BlockVerificationRule(), three, target, draft))
                .isGreaterThanOrEqualTo(
                        length(new TokenRejectionRule(), three, target, draft) - 1e-12);
    }

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void traversalIsBlockVerificationOnAChainAndTheSiblingRuleAtDepthOne(
            DistributionStyle target, DistributionStyle draft) {
        var chain = new TreePlan.Chain(3);
        assertThat(length(new TraversalRule(), chain, target, draft))
                .isCloseTo(
                        length(new BlockVerificationRule(), chain, target, draft), within(1e-12));
        assertThat(length(new TraversalRule(), independent(3), target, draft))
                .isCloseTo(
                        length(new MultiStepRule(), independent(3), target, draft), within(1e-12));
        assertThat(length(new TraversalRule(), distinct(2), target, draft))
                .isCloseTo(
                        length(new WithoutReplacementRule(), distinct(2), target, draft),
                        within(1e-12));
    }

    @Test
    void blockVerificationReproducesThePapersExample() {
        double[] p = {1 / 3., 2 / 3.};
        double[] q = {2 / 3., 1 / 3.};
        var chain = new TreePlan.Chain(2);

        assertThat(length(new TokenRejectionRule(), chain, p, q))
                .isCloseTo(1 + 10 / 9., within(1e-6));
        assertThat(length(new BlockVerificationRule(), chain, p, q))
                .isCloseTo(1 + 11 / 9., within(1e-6));
        assertThat(length(new TokenRejectionRule(), new TreePlan.Chain(3), P, Q))
                .isCloseTo(2.533, within(5e-4));
        assertThat(length(new BlockVerificationRule(), new TreePlan.Chain(3), P, Q))
                .isCloseTo(2.720, within(5e-4));
    }

    @Test
    void siblingRulesReproduceTheWorkedAcceptances() {
        assertThat(acceptance(new MultiStepRule(), independent(2))).isCloseTo(.76, within(5e-4));
        assertThat(acceptance(new MultiStepRule(), independent(3))).isCloseTo(.808, within(5e-4));
        assertThat(acceptance(new KSequentialRule(), independent(2)))
                .isCloseTo(.791355, within(1e-6));
        assertThat(acceptance(new KSequentialRule(), independent(3)))
                .isCloseTo(.858519, within(1e-6));
        assertThat(acceptance(new WithoutReplacementRule(), distinct(1)))
                .isCloseTo(.7, within(1e-6));
        assertThat(acceptance(new WithoutReplacementRule(), distinct(2)))
                .isCloseTo(.808571, within(1e-6));
        assertThat(acceptance(new WithoutReplacementRule(), distinct(3)))
                .isCloseTo(1, within(1e-6));
    }

    @Test
    void traversalReproducesTheWorkedLengths() {
        assertThat(length(new TraversalRule(), distinct(2, 2), P, Q))
                .isCloseTo(2.5581, within(5e-5));
        assertThat(length(new WithoutReplacementRule(), distinct(2, 2), P, Q))
                .isCloseTo(2.4624, within(5e-5));
        assertThat(length(new TraversalRule(), independent(2, 2), P, Q))
                .isCloseTo(2.4456, within(5e-5));
        assertThat(length(new MultiStepRule(), independent(2, 2), P, Q))
                .isCloseTo(2.3376, within(5e-5));
    }

    /// Not for SpecTr's rule, which is better at a single node: .791355 against .76 above.
    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void traversalNeverAcceptsLessThanTheRulesThatGoLevelByLevel(
            DistributionStyle target, DistributionStyle draft) {
        for (int pair = 0; pair < PAIRS; pair++) {
            var p = TableModel.random(3, target, 3001 + pair);
            var q = TableModel.random(3, draft, 4002 + pair);
            for (var widths : SMALL_TREES) {
                assertThat(
                                length(
                                        new TraversalRule(),
                                        new TreePlan.SampledWithReplacement(widths),
                                        p,
                                        q))
                        .isGreaterThanOrEqualTo(
                                length(
                                                new MultiStepRule(),
                                                new TreePlan.SampledWithReplacement(widths),
                                                p,
                                                q)
                                        - 1e-12);
                assertThat(
                                length(
                                        new TraversalRule(),
                                        new TreePlan.SampledWithoutReplacement(widths),
                                        p,
                                        q))
                        .isGreaterThanOrEqualTo(
                                length(
                                                new WithoutReplacementRule(),
                                                new TreePlan.SampledWithoutReplacement(widths),
                                                p,
                                                q)
                                        - 1e-12);
            }
        }
    }

    /// best acceptance = 1 + min over sets H of tokens of (p(H) - Pr[all candidates in H]).
    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void noRuleBeatsTheBoundOnAcceptance(DistributionStyle target, DistributionStyle draft) {
        double[] p = distribution(target, 1).distribution(Toy.PLAIN, Toy.PROMPT);
        double[] q = distribution(draft, 2).distribution(Toy.PLAIN, Toy.PROMPT);
        for (int k = 1; k <= 3; k++) {
            double bound = independentBound(p, q, k);
            for (var rule :
                    List.of(new MultiStepRule(), new KSequentialRule(), new TraversalRule())) {
                assertThat(length(rule, independent(k), target, draft) - 1)
                        .isLessThanOrEqualTo(bound + 1e-12);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.outrider.testkit.Toy#stylePairs")
    void noRuleForDistinctSiblingsBeatsTheBoundEither(
            DistributionStyle target, DistributionStyle draft) {
        double[] p = distribution(target, 1).distribution(Toy.PLAIN, Toy.PROMPT);
        double[] q = distribution(draft, 2).distribution(Toy.PLAIN, Toy.PROMPT);
        for (int k = 1; k <= 3; k++) {
            double bound = distinctBound(p, q, k);
            for (var rule : List.of(new WithoutReplacementRule(), new TraversalRule())) {
                assertThat(length(rule, distinct(k), target, draft) - 1)
                        .isLessThanOrEqualTo(bound + 1e-12);
            }
            assertThat(length(new SampleAndMatchRule(), distinct(k), target, draft) - 1)
                    .isLessThanOrEqualTo(bound + 1e-12);
        }
    }

    @Test
    void theBoundsEqualTheWorkedExamples() {
        assertThat(independentBound(P, Q, 2)).isCloseTo(.86, within(1e-12));
        assertThat(independentBound(P, Q, 3)).isCloseTo(.988, within(1e-12));
        assertThat(distinctBound(P, Q, 2)).isCloseTo(.985714, within(1e-6));
        assertThat(distinctBound(P, Q, 3)).isCloseTo(1, within(1e-12));
    }

    private static double independentBound(double[] p, double[] q, int k) {
        return bound(p, set -> Math.pow(mass(q, set), k));
    }

    private static double distinctBound(double[] p, double[] q, int k) {
        return bound(p, set -> allWithin(set, q, k));
    }

    /// @param allWithin the probability that all candidates are in a set of tokens
    private static double bound(double[] p, IntToDoubleFunction allWithin) {
        return 1
                + IntStream.range(0, 1 << p.length)
                        .mapToDouble(set -> mass(p, set) - allWithin.applyAsDouble(set))
                        .min()
                        .orElseThrow();
    }

    /// Returns the probability that up to k draws without replacement stay within a set; drawing
    /// ends when the distribution is exhausted.
    private static double allWithin(int set, double[] urn, int k) {
        double left = Arrays.stream(urn).sum();
        if (k == 0 || left <= 0) {
            return 1;
        }
        double total = 0;
        for (int token = 0; token < urn.length; token++) {
            if ((set >> token & 1) == 1 && urn[token] > 0) {
                double[] rest = urn.clone();
                rest[token] = 0;
                total += urn[token] / left * allWithin(set, rest, k - 1);
            }
        }
        return total;
    }

    private static double mass(double[] distribution, int set) {
        return IntStream.range(0, distribution.length)
                .filter(t -> (set >> t & 1) == 1)
                .mapToDouble(t -> distribution[t])
                .sum();
    }

    private static double acceptance(AcceptanceRule rule, TreePlan plan) {
        return length(rule, plan, P, Q) - 1;
    }

    private static double length(AcceptanceRule rule, TreePlan plan, double[] p, double[] q) {
        return length(rule, plan, TableModel.constant(p), TableModel.constant(q));
    }

    private static double length(
            AcceptanceRule rule, TreePlan plan, DistributionStyle target, DistributionStyle draft) {
        return length(rule, plan, distribution(target, 1), distribution(draft, 2));
    }

    private static double length(AcceptanceRule rule, TreePlan plan, TableModel p, TableModel q) {
        var decoder = Toy.decoder(TableTarget.of(p), new TableDrafter(q, plan, Toy.PLAIN), rule);
        return ExactDistribution.expectedLength(
                ExactDistribution.emitted(decoder, Toy.PLAIN, Toy.PROMPT, 1));
    }

    private static void assertExact(
            AcceptanceRule rule,
            TreePlan plan,
            DistributionStyle target,
            DistributionStyle draft,
            int vocabulary) {
        var p = TableModel.random(vocabulary, target, 1001);
        var drafter = new TableDrafter(TableModel.random(vocabulary, draft, 2002), plan, Toy.PLAIN);
        for (var policy : POLICIES) {
            var decoder = Toy.decoder(TableTarget.of(p), drafter, rule);
            ExactDistribution.assertExact(decoder, p, policy, Toy.PROMPT, 1, plan.maxDepth() + 1);
        }
    }

    private static TableModel distribution(DistributionStyle style, int seed) {
        return TableModel.random(3, style, seed);
    }

    private static TreePlan independent(Integer... widths) {
        return new TreePlan.SampledWithReplacement(List.of(widths));
    }

    private static TreePlan distinct(Integer... widths) {
        return new TreePlan.SampledWithoutReplacement(List.of(widths));
    }
}
