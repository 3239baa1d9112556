package dev.outrider.engine.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Compares typical and relaxed acceptance with an independent formula over all root paths.
class LongestPathRulesTest {
    private static final TypicalAcceptanceRule TYPICAL = new TypicalAcceptanceRule(.09, .3);

    @Test
    void thresholdsEqualTheWorkedExample() {
        double[] even = IntStream.range(0, 50).mapToDouble(_ -> 1 / 50.0).toArray();

        assertThat(threshold(TYPICAL, new double[] {.5, .3, .15, .05})).isEqualTo(.09);
        assertThat(threshold(new TypicalAcceptanceRule(1, 1), new double[] {.5, .3, .15, .05}))
                .isCloseTo(Math.exp(-1.1421), within(1e-4));
        assertThat(threshold(TYPICAL, even)).isCloseTo(.006003, within(5e-7));
        assertThat(threshold(TYPICAL, new double[] {0, 1, 0})).isEqualTo(.09);
    }

    @Test
    void theLongestAcceptablePathIsKeptAndOfEqualOnesTheMostProbable() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            var tree = TokenTree.builder(0);
            for (int node = 0; node < 9; node++) {
                tree.add(random.nextInt(tree.size()), random.nextInt(4));
            }
            var draft = new Draft(tree.build(), new Selection.PointMass());
            var distributions = new GivenDistributions(distributions(random, draft.tree().size()));
            for (var rule :
                    List.of(TYPICAL, new RelaxedTopKRule(2, 0), new RelaxedTopKRule(1, .7))) {
                var verdict = rule.decide(draft, distributions, new ScriptedRandomness(.5));

                int best = 0;
                for (int node = 0; node < draft.tree().size(); node++) {
                    if (good(rule, draft.tree(), distributions, node)
                            && score(draft.tree(), distributions, node)
                                    > score(draft.tree(), distributions, best)) {
                        best = node;
                    }
                }
                assertThat(verdict.lastNode()).isEqualTo(best);
            }
        }
    }

    /// log .5 - log .5 is exactly 0; of equal probabilities the lower id ranks first, so a
    /// tolerance of 0 accepts only that one.
    @Test
    void aTokenAtTheEdgeOfTheToleranceIsGood() {
        var distribution = new double[] {.5, .5};
        var draft = new Draft(TokenTree.chain(0, 1), new Selection.PointMass());

        assertThat(
                        new RelaxedTopKRule(1, 0)
                                .decide(
                                        draft,
                                        new GivenDistributions(distribution, distribution),
                                        new ScriptedRandomness(.1))
                                .acceptedNodes())
                .containsExactly(1);
    }

    @Test
    void aTokenWithTargetProbabilityZeroIsNeverAcceptable() {
        var certain = new double[] {1, 0, 0};
        var draft = new Draft(TokenTree.chain(0, 1), new Selection.PointMass());

        assertThat(
                        new RelaxedTopKRule(3, 0)
                                .decide(
                                        draft,
                                        new GivenDistributions(certain, certain),
                                        new ScriptedRandomness(.1)))
                .isEqualTo(new Verdict(List.of(), 0, Origin.CORRECTION));
    }

    /// Cai et al. require more than the threshold.
    @Test
    void aTokenAtTheTypicalThresholdIsNotGood() {
        var distribution = new double[] {.875, .125};
        var rule = new TypicalAcceptanceRule(.125, 1);
        assertThat(threshold(rule, distribution)).isEqualTo(.125);
        var draft = new Draft(TokenTree.chain(0, 1), new Selection.PointMass());

        assertThat(
                        rule.decide(
                                        draft,
                                        new GivenDistributions(distribution, distribution),
                                        new ScriptedRandomness(.1))
                                .acceptedNodes())
                .isEmpty();
    }

    @Test
    void withoutAnAcceptablePathTheTargetsOwnTokenFollows() {
        var draft = new Draft(TokenTree.chain(0, 3), new Selection.PointMass());
        var distributions = new GivenDistributions(new double[] {.5, .3, .15, .05}, new double[4]);
        var randomness = new ScriptedRandomness(.6);

        assertThat(TYPICAL.decide(draft, distributions, randomness))
                .isEqualTo(new Verdict(List.of(), 1, Origin.CORRECTION));
        assertThat(randomness.asked).containsExactly("draw RESIDUAL 0");
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new TypicalAcceptanceRule(0, .3))
                .hasMessage("'epsilon' must be in (0, 1], got 0.0");
        assertThatThrownBy(() -> new TypicalAcceptanceRule(.09, 2))
                .hasMessage("'delta' must be in (0, 1], got 2.0");
        assertThatThrownBy(() -> new RelaxedTopKRule(0, 0))
                .hasMessage("'topK' must be at least 1, got 0");
        assertThatThrownBy(() -> new RelaxedTopKRule(1, -1))
                .hasMessage("'tolerance' must be 0 or more, got -1.0");
        assertThatThrownBy(() -> new RelaxedTopKRule(1, Double.POSITIVE_INFINITY))
                .hasMessage("'tolerance' must be 0 or more, got Infinity");
        assertThatThrownBy(() -> new LenienceRule(0))
                .hasMessage("'factor' must be between 0 and 1, got 0.0; rule 'token' is factor 1");
        assertThatThrownBy(() -> new LenienceRule(1))
                .hasMessage("'factor' must be between 0 and 1, got 1.0; rule 'token' is factor 1");
    }

    private static double threshold(TypicalAcceptanceRule rule, double[] distribution) {
        return rule.threshold(distribution, Support.of(distribution));
    }

    private static double[][] distributions(Random random, int nodes) {
        var distributions = new double[nodes][];
        for (int node = 0; node < nodes; node++) {
            double[] weights = random.doubles(4).map(u -> -Math.log(u)).toArray();
            double total = Arrays.stream(weights).sum();
            distributions[node] = Arrays.stream(weights).map(weight -> weight / total).toArray();
        }
        return distributions;
    }

    private static boolean good(
            Object rule, TokenTree tree, GivenDistributions distributions, int node) {
        return node == 0
                || good(rule, tree, distributions, tree.parent(node))
                        && good(
                                rule,
                                distributions.distribution(tree.parent(node)),
                                tree.token(node));
    }

    private static boolean good(Object rule, double[] distribution, int token) {
        double[] falling = Arrays.stream(distribution).map(p -> -p).sorted().map(p -> -p).toArray();
        if (rule instanceof RelaxedTopKRule(int topK, double tolerance)) {
            return distribution[token] >= falling[topK - 1]
                    || distribution[token] >= falling[0] * Math.exp(-tolerance);
        }
        double entropy = -Arrays.stream(distribution).map(p -> p * Math.log(p + 1e-5)).sum();
        return distribution[token] > Math.min(.09, .3 * Math.exp(-entropy));
    }

    /// Orders by depth, then by probability of the path.
    private static double score(TokenTree tree, GivenDistributions distributions, int node) {
        double log = 0;
        for (int walker = node; walker > 0; walker = tree.parent(walker)) {
            log += Math.log(distributions.distribution(tree.parent(walker))[tree.token(walker)]);
        }
        return 1e6 * tree.depth(node) + log;
    }
}
