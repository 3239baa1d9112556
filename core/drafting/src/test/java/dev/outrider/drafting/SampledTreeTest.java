package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.common.sampling.Distributions;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests sampled trees: every reported distribution is the distribution that the token was drawn from.
class SampledTreeTest {
    private static final int WIDTH = 10;
    private static final int TARGET_VOCABULARY = 13;
    private static final List<Integer> COMMITTED = List.of(4, 7, 2);

    @Test
    void drawsAndDistributionsAgreeForEveryPlanAndPolicy() {
        for (int seed = 0; seed < 500; seed++) {
            var random = new Random(seed);
            var network = new PathLogits(WIDTH, seed, style(random));
            var policy = policy(random);
            var plan = plan(random);
            var stop = stop(random);
            int maxNodes = 1 + random.nextInt(plan.maxNodes());
            var budget = new DraftBudget(maxNodes, 1 + random.nextInt(maxNodes));
            var stepper = new PathStepper(network, COMMITTED);
            var randomness = new RecordingRandomness(seed);

            var expansion =
                    new TreeExpander(
                                    plan,
                                    policy,
                                    stop,
                                    new DraftVocabulary(WIDTH, TARGET_VOCABULARY))
                            .expand(stepper, history(), budget, randomness);

            var tree = expansion.draft().tree();
            var selection = expansion.draft().selection();
            assertThat(selection.kind()).isEqualTo(plan.selection(policy.greedy()));
            assertThat(tree.draftedNodes()).isLessThanOrEqualTo(budget.maxNodes());
            assertThat(tree.maxDepth()).isLessThanOrEqualTo(budget.maxDepth());
            assertDrawsMadeTheTree(
                    tree,
                    randomness,
                    network,
                    policy,
                    distributionsOf(selection),
                    selection.kind());
            assertStopsAreRespected(tree, distributionsOf(selection), stop);
            StaticTreeTest.assertRowsHoldThePaths(expansion, stepper);
        }
    }

    @Test
    void aChainIsAsLongAsThePlanAndTheBudgetAllow() {
        var tree =
                expand(new TreePlan.Chain(5), SamplingPolicy.atTemperature(1), 99, 99)
                        .draft()
                        .tree();

        assertThat(tree.isChain()).isTrue();
        assertThat(tree.draftedNodes()).isEqualTo(5);
    }

    @Test
    void distinctSiblingsAreAsManyAsTheDistributionHas() {
        var plan = new TreePlan.SampledWithoutReplacement(List.of(4, 4));

        var tree = expand(plan, new SamplingPolicy(1, 3, 1, 0, 1), 99, 99).draft().tree();

        assertThat(tree.childCount(0)).isEqualTo(3);
        assertThat(tree.draftedNodes()).isEqualTo(3 + 9);
    }

    @Test
    void anExplicitShapeIsDrawnNodeByNode() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var paths = paths(random);
            var policy = SamplingPolicy.atTemperature(2);

            var tree =
                    expand(new TreePlan.SampledPaths(paths, seed % 2 == 0), policy, 99, 99)
                            .draft()
                            .tree();

            var drawn = new ArrayList<List<Integer>>();
            drawn.add(List.of());
            for (int node = 1; node < tree.size(); node++) {
                int parent = tree.parent(node);
                var path = new ArrayList<>(drawn.get(parent));
                path.add(orderAmongSiblings(tree, node));
                drawn.add(path);
            }
            assertThat(drawn.subList(1, drawn.size()))
                    .as("seed %d", seed)
                    .containsExactlyInAnyOrderElementsOf(paths);
        }
    }

    @Test
    void whereTheDistributionHasTooFewTokensTheYoungestSiblingsAreMissingWithAllBelowThem() {
        var paths =
                List.of(List.of(0), List.of(1), List.of(2), List.of(0, 0), List.of(2, 0)).stream()
                        .map(List::copyOf)
                        .toList();

        var tree =
                expand(
                                new TreePlan.SampledPaths(paths, false),
                                new SamplingPolicy(1, 2, 1, 0, 1),
                                99,
                                99)
                        .draft()
                        .tree();

        assertThat(tree.childCount(0)).isEqualTo(2);
        assertThat(tree.childCount(1)).isEqualTo(1);
        assertThat(tree.draftedNodes()).isEqualTo(3);
    }

    private static int orderAmongSiblings(TokenTree tree, int node) {
        int parent = tree.parent(node);
        return IntStream.range(0, tree.childCount(parent))
                .filter(index -> tree.child(parent, index) == node)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aGreedyDrafterHasOneDistinctSibling() {
        var plan = new TreePlan.SampledWithoutReplacement(List.of(3, 3));

        var tree = expand(plan, SamplingPolicy.argmax(), 99, 99).draft().tree();

        assertThat(tree.isChain()).isTrue();
        assertThat(tree.draftedNodes()).isEqualTo(2);
    }

    @Test
    void equalSiblingsAreRunOnce() {
        var stepper = new PathStepper(network(), COMMITTED);

        var expansion =
                new TreeExpander(
                                new TreePlan.SampledWithReplacement(List.of(3, 2, 1)),
                                SamplingPolicy.argmax(),
                                new StopRule.Never(),
                                new DraftVocabulary(WIDTH, WIDTH))
                        .expand(
                                stepper,
                                history(),
                                new DraftBudget(99, 9),
                                new RecordingRandomness(1));

        assertThat(expansion.draft().tree().draftedNodes()).isEqualTo(3 + 6 + 6);
        assertThat(stepper.passSizes()).containsExactly(1, 1);
        assertThat(IntStream.rangeClosed(1, 3).map(expansion::row)).containsExactly(0, 0, 0);
    }

    @Test
    void tokensThatTheDrafterDoesNotHaveHaveProbabilityZero() {
        var distributions =
                distributionsOf(
                        expand(new TreePlan.Chain(2), SamplingPolicy.atTemperature(2), 9, 9)
                                .draft()
                                .selection());

        assertThat(distributions.row(0)).hasSize(TARGET_VOCABULARY);
        assertThat(Arrays.copyOfRange(distributions.row(0), WIDTH, TARGET_VOCABULARY))
                .containsOnly(0.0);
        assertThat(Arrays.stream(distributions.row(0)).sum()).isCloseTo(1, within(1e-12));
    }

    @Test
    void coupledNodesRaceAtTheirPositionsAndAreReportedAsAPointMass() {
        var randomness = new RecordingRandomness(1);
        var expansion =
                new TreeExpander(
                                new TreePlan.Coupled(List.of(2, 1)),
                                SamplingPolicy.atTemperature(1),
                                new StopRule.Never(),
                                new DraftVocabulary(WIDTH, TARGET_VOCABULARY))
                        .expand(
                                new PathStepper(network(), COMMITTED),
                                history(),
                                new DraftBudget(99, 9),
                                randomness);
        var tree = expansion.draft().tree();

        assertThat(expansion.draft().selection()).isEqualTo(new Selection.PointMass());
        assertThat(tree.draftedNodes()).isEqualTo(2 + 2);
        assertThat(randomness.races().stream().map(RecordingRandomness.Race::position))
                .containsExactly(3, 4, 4);
        for (int node = 0; node < 3; node++) {
            double[] distribution = randomness.races().get(node).weights();
            assertThat(distribution).hasSize(TARGET_VOCABULARY);
            assertThat(distribution[tree.token(tree.child(node, 0))])
                    .isEqualTo(Arrays.stream(distribution).max().orElseThrow());
        }
        assertThat(randomness.draws()).isEmpty();
    }

    @Test
    void anEmptyBudgetDrawsNothingAndKeepsTheDeclaredSelection() {
        var expansion = expand(new TreePlan.Chain(2), SamplingPolicy.atTemperature(1), 0, 0);

        assertThat(expansion.draft().tree()).isEqualTo(TokenTree.rootOnly(2));
        assertThat(expansion.draft().selection().kind()).isEqualTo(Selection.Kind.INDEPENDENT);
    }

    /// Replays the draws: they are made in node order, from the node's own distribution without the siblings that were drawn
    /// before.
    private static int[] tokens(Support support) {
        return IntStream.range(0, support.size()).map(support::token).toArray();
    }

    private static void assertDrawsMadeTheTree(
            TokenTree tree,
            RecordingRandomness randomness,
            PathLogits network,
            SamplingPolicy policy,
            DraftDistributions distributions,
            Selection.Kind kind) {
        int drawn = 0;
        for (int node = 0; node < tree.size(); node++) {
            assertThat(distributions.has(node)).isEqualTo(tree.childCount(node) > 0);
            if (tree.childCount(node) == 0) {
                continue;
            }
            var path = Arrays.stream(tree.path(node)).skip(1).map(tree::token).boxed().toList();
            var before = new ArrayList<>(COMMITTED);
            before.addAll(path);
            var distribution =
                    Arrays.copyOf(
                            Distributions.of(
                                    policy,
                                    network.segmentAfter(before),
                                    WIDTH,
                                    TokenHistory.of(
                                            before.stream().mapToInt(Integer::intValue).toArray())),
                            TARGET_VOCABULARY);
            assertThat(distributions.row(node)).containsExactly(distribution);
            assertThat(tokens(distributions.support(node)))
                    .containsExactly(tokens(Support.of(distribution)));
            var urn = distribution.clone();
            for (int index = 0; index < tree.childCount(node); index++) {
                var draw = randomness.draws().get(drawn++);
                int token = tree.token(tree.child(node, index));
                assertThat(draw.role()).isEqualTo(Randomness.Role.DRAFT);
                assertThat(draw.node()).isEqualTo(node);
                assertThat(draw.token()).isEqualTo(token);
                assertThat(draw.weights()).containsExactly(urn);
                if (kind == Selection.Kind.WITHOUT_REPLACEMENT) {
                    urn[token] = 0;
                }
            }
        }
        assertThat(randomness.draws()).as("nothing drawn and dropped").hasSize(drawn);
    }

    private static void assertStopsAreRespected(
            TokenTree tree, DraftDistributions distributions, StopRule stop) {
        for (int node = 1; node < tree.size(); node++) {
            if (tree.childCount(node) > 0) {
                double probability = distributions.row(tree.parent(node))[tree.token(node)];
                assertThat(stop.continuesBelow(probability)).isTrue();
            }
        }
        for (int node = 0; node < tree.size(); node++) {
            if (tree.childCount(node) > 0) {
                double entropy =
                        Arrays.stream(distributions.row(node))
                                .filter(p -> p > 0)
                                .map(p -> -p * Math.log(p))
                                .sum();
                assertThat(stop.guessesFrom(() -> entropy - 1e-12)).isTrue();
            }
        }
    }

    private static DraftDistributions distributionsOf(Selection selection) {
        return switch (selection) {
            case Selection.PointMass() -> DraftDistributions.builder().build();
            case Selection.Independent(var distributions) -> distributions;
            case Selection.WithoutReplacement(var distributions) -> distributions;
        };
    }

    private static TreePlan plan(Random random) {
        var widths =
                IntStream.range(0, 1 + random.nextInt(3))
                        .map(_ -> 1 + random.nextInt(4))
                        .boxed()
                        .toList();
        return switch (random.nextInt(5)) {
            case 0 -> new TreePlan.Chain(1 + random.nextInt(6));
            case 1 -> new TreePlan.SampledWithReplacement(widths);
            case 2 -> new TreePlan.SampledPaths(paths(random), true);
            case 3 -> new TreePlan.SampledPaths(paths(random), false);
            default -> new TreePlan.SampledWithoutReplacement(widths);
        };
    }

    /// A random tree without gaps among siblings, in random order.
    private static List<List<Integer>> paths(Random random) {
        var paths = new ArrayList<List<Integer>>();
        paths.add(List.of());
        for (int nodes = 1 + random.nextInt(14); nodes > 0; nodes--) {
            var parent = paths.get(random.nextInt(paths.size()));
            long children =
                    paths.stream()
                            .filter(path -> path.size() == parent.size() + 1)
                            .filter(path -> path.subList(0, parent.size()).equals(parent))
                            .count();
            var child = new ArrayList<>(parent);
            child.add((int) children);
            paths.add(child);
        }
        paths.removeFirst();
        Collections.shuffle(paths, random);
        return paths;
    }

    private static SamplingPolicy policy(Random random) {
        return new SamplingPolicy(
                0.2 + random.nextDouble(),
                random.nextInt(6),
                random.nextBoolean() ? 1 : 0.3 + 0.6 * random.nextDouble(),
                random.nextBoolean() ? 0 : 0.2,
                random.nextBoolean() ? 1 : 1.7);
    }

    private static StopRule stop(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> new StopRule.Never();
            case 1 -> new StopRule.LowConfidence(0.05 + 0.4 * random.nextDouble());
            default -> new StopRule.HighEntropy(0.3, 0.1 + 0.4 * random.nextDouble());
        };
    }

    private static PathLogits.Style style(Random random) {
        return PathLogits.Style.values()[random.nextInt(PathLogits.Style.values().length)];
    }

    private static PathLogits network() {
        return new PathLogits(WIDTH, 11, PathLogits.Style.SMOOTH);
    }

    private static DraftWithRows expand(
            TreePlan plan, SamplingPolicy policy, int maxNodes, int maxDepth) {
        return new TreeExpander(
                        plan,
                        policy,
                        new StopRule.Never(),
                        new DraftVocabulary(WIDTH, TARGET_VOCABULARY))
                .expand(
                        new PathStepper(network(), COMMITTED),
                        history(),
                        new DraftBudget(maxNodes, maxDepth),
                        new RecordingRandomness(5));
    }

    private static TokenHistory history() {
        return TokenHistory.of(COMMITTED.stream().mapToInt(Integer::intValue).toArray());
    }
}
