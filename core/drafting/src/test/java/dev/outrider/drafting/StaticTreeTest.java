package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.common.sampling.Distributions;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Compares trees chosen by rank with a twin that enumerates rank paths one by one.
class StaticTreeTest {
    private static final int VOCABULARY = 12;
    private static final List<Integer> COMMITTED = List.of(4, 7, 2);
    private static final SamplingPolicy GREEDY = SamplingPolicy.argmax();

    @Test
    void aGreedyChainFollowsTheArgmax() {
        var network = new PathLogits(VOCABULARY, 1, PathLogits.Style.SMOOTH);
        var expected = new int[6];
        var path = new ArrayList<>(COMMITTED);
        for (int i = 0; i < expected.length; i++) {
            expected[i] =
                    Distributions.mode(
                            GREEDY, network.segmentAfter(path), VOCABULARY, TokenHistory.empty());
            path.add(expected[i]);
        }

        var tree = expand(network, new TreePlan.Chain(6), new StopRule.Never()).draft().tree();

        assertThat(tree).isEqualTo(TokenTree.chain(2, expected));
    }

    @Test
    void treesEqualTheirRankPathsOneByOne() {
        for (int seed = 0; seed < 500; seed++) {
            var random = new Random(seed);
            var network = randomNetwork(random, seed);
            var plan = randomPlan(random);
            var stop = randomStop(random);
            var budget = randomBudget(random, plan, network.style());
            var stepper = new PathStepper(network, COMMITTED);

            var expansion = expand(stepper, plan, GREEDY, stop, budget);

            var expected = naive(network, pathsOf(plan), GREEDY, stop, budget);
            assertThat(expansion.draft().tree()).as("seed %d, %s", seed, plan).isEqualTo(expected);
            assertThat(expansion.draft().selection()).isEqualTo(new Selection.PointMass());
            assertRowsHoldThePaths(expansion, stepper);
            assertThat(stepper.passSizes().stream().mapToInt(Integer::intValue).sum())
                    .isLessThanOrEqualTo(TreeExpander.maxRows(plan));
        }
    }

    /// Nodes of a level that use the same row share the values that were read from it, as long as these do not depend on the path.
    @Test
    void treesOfSlotsEqualThoseOfAPathStepperWithTheSameRows() {
        var penalty = new SamplingPolicy(0.7, 0, 1, 0, 2.5);
        for (int seed = 0; seed < 500; seed++) {
            var random = new Random(seed);
            var network = randomNetwork(random, seed);
            var plan = randomPlan(random);
            var policy = random.nextInt(4) == 0 ? penalty : GREEDY;
            var stop = randomStop(random);
            int nodes = random.nextInt(plan.maxNodes() + 3);
            var budget = new DraftBudget(nodes, random.nextInt(nodes + 1));
            DraftStepper.LogitRows slots = slot -> network.segmentAfter(List.of(slot));

            var tree = expand(new SlotStepper(slots), plan, policy, stop, budget).draft().tree();

            assertThat(tree)
                    .as("seed %d, %s, %s", seed, plan, budget)
                    .isEqualTo(
                            expand(new PathSlots(slots), plan, policy, stop, budget)
                                    .draft()
                                    .tree());
        }
    }

    /// Gives the same rows, but does not declare that they are shared.
    private record PathSlots(DraftStepper.LogitRows slots) implements DraftStepper {
        @Override
        public LogitRows root() {
            return _ -> slots.row(0);
        }

        @Override
        public LogitRows step(List<StepInput> nodes) {
            int slot = nodes.getFirst().depth();
            return _ -> slots.row(slot);
        }
    }

    @Test
    void appliesTheRepetitionPenaltyWithTheNodesOwnPath() {
        var policy = new SamplingPolicy(0.7, 0, 1, 0, 2.5);
        var plan = new TreePlan.LevelWidths(List.of(3, 2, 2));
        for (int seed = 0; seed < 100; seed++) {
            var network = new PathLogits(VOCABULARY, seed, PathLogits.Style.SMOOTH);
            var stepper = new PathStepper(network, COMMITTED);

            var tree =
                    expand(stepper, plan, policy, new StopRule.Never(), new DraftBudget(99, 9))
                            .draft()
                            .tree();

            assertThat(tree)
                    .isEqualTo(
                            naive(
                                    network,
                                    pathsOf(plan),
                                    policy,
                                    new StopRule.Never(),
                                    new DraftBudget(99, 9)));
        }
    }

    @Test
    void theDeepestLevelIsNeverRun() {
        var stepper =
                new PathStepper(new PathLogits(VOCABULARY, 1, PathLogits.Style.SMOOTH), COMMITTED);

        expand(
                stepper,
                new TreePlan.LevelWidths(List.of(3, 2, 2)),
                GREEDY,
                new StopRule.Never(),
                new DraftBudget(99, 9));

        assertThat(stepper.passSizes()).containsExactly(3, 6);
    }

    @Test
    void onlyNodesThatTheBudgetCanGiveChildrenAreRun() {
        var stepper =
                new PathStepper(new PathLogits(VOCABULARY, 1, PathLogits.Style.SMOOTH), COMMITTED);

        var expansion =
                expand(
                        stepper,
                        new TreePlan.LevelWidths(List.of(4, 3)),
                        GREEDY,
                        new StopRule.Never(),
                        new DraftBudget(8, 8));

        assertThat(expansion.draft().tree().draftedNodes()).isEqualTo(8);
        assertThat(stepper.passSizes()).containsExactly(2);
    }

    @Test
    void anEmptyBudgetDoesNotRunTheNetwork() {
        var stepper =
                new PathStepper(new PathLogits(VOCABULARY, 1, PathLogits.Style.SMOOTH), COMMITTED);

        var expansion =
                expand(
                        stepper,
                        new TreePlan.Chain(3),
                        GREEDY,
                        new StopRule.Never(),
                        new DraftBudget(0, 0));

        assertThat(expansion.draft().tree()).isEqualTo(TokenTree.rootOnly(2));
        assertThat(stepper.started()).isFalse();
    }

    @Test
    void highEntropyAtTheRootMeansNoGuess() {
        var network = new PathLogits(VOCABULARY, 1, PathLogits.Style.SMOOTH);

        var tree =
                expand(network, new TreePlan.Chain(3), new StopRule.HighEntropy(100, 0.5))
                        .draft()
                        .tree();

        assertThat(tree).isEqualTo(TokenTree.rootOnly(2));
    }

    /// Places every listed rank path whose parent was placed, in the order of length and ranks.
    private static TokenTree naive(
            PathLogits network,
            List<List<Integer>> rankPaths,
            SamplingPolicy policy,
            StopRule stop,
            DraftBudget budget) {
        var tree = TokenTree.builder(COMMITTED.getLast());
        var nodeOf = new HashMap<List<Integer>, Integer>();
        var tokensOf = new HashMap<List<Integer>, List<Integer>>();
        nodeOf.put(List.of(), 0);
        tokensOf.put(List.of(), COMMITTED);
        for (var path : rankPaths) {
            var parentPath = path.subList(0, path.size() - 1);
            var parent = nodeOf.get(parentPath);
            var before = tokensOf.get(parentPath);
            if (parent == null
                    || before == null
                    || path.size() > budget.maxDepth()
                    || tree.size() > budget.maxNodes()) {
                continue;
            }
            var scores = network.after(before);
            if (policy.usesHistory()) {
                for (int token : before.stream().distinct().toList()) {
                    scores[token] =
                            (float)
                                    (scores[token] > 0
                                            ? scores[token] / policy.repetitionPenalty()
                                            : scores[token] * policy.repetitionPenalty());
                }
            }
            var ranked =
                    IntStream.range(0, VOCABULARY)
                            .boxed()
                            .filter(token -> scores[token] > Float.NEGATIVE_INFINITY)
                            .sorted(Comparator.comparing(token -> -scores[token]))
                            .toList();
            if (path.getLast() >= ranked.size()) {
                continue;
            }
            int token = ranked.get(path.getLast());
            int node = tree.add(parent, token);
            double sum = 0;
            for (float score : scores) {
                sum += Math.exp(score - scores[ranked.getFirst()]);
            }
            if (stop.continuesBelow(Math.exp(scores[token] - scores[ranked.getFirst()]) / sum)) {
                nodeOf.put(path, node);
                var after = new ArrayList<>(before);
                after.add(token);
                tokensOf.put(path, after);
            }
        }
        return tree.build();
    }

    private static List<List<Integer>> pathsOf(TreePlan plan) {
        return switch (plan) {
            case TreePlan.Chain(int length) -> widthPaths(Collections.nCopies(length, 1));
            case TreePlan.LevelWidths(var widths) -> widthPaths(widths);
            case TreePlan.RankPaths(var paths) ->
                    paths.stream()
                            .sorted(
                                    Comparator.<List<Integer>>comparingInt(List::size)
                                            .thenComparing(StaticTreeTest::compare))
                            .toList();
            case TreePlan.Dynamic _,
                    TreePlan.SampledPaths _,
                    TreePlan.Coupled _,
                    TreePlan.SampledWithReplacement _,
                    TreePlan.SampledWithoutReplacement _ ->
                    throw new AssertionError(plan);
        };
    }

    private static int compare(List<Integer> a, List<Integer> b) {
        for (int i = 0; i < a.size(); i++) {
            if (!a.get(i).equals(b.get(i))) {
                return Integer.compare(a.get(i), b.get(i));
            }
        }
        return 0;
    }

    private static List<List<Integer>> widthPaths(List<Integer> widths) {
        var paths = new ArrayList<List<Integer>>();
        List<List<Integer>> level = List.of(List.of());
        for (int width : widths) {
            var next = new ArrayList<List<Integer>>();
            for (var parent : level) {
                for (int rank = 0; rank < width; rank++) {
                    var path = new ArrayList<>(parent);
                    path.add(rank);
                    next.add(path);
                }
            }
            paths.addAll(next);
            level = next;
        }
        return paths;
    }

    private static TreePlan randomPlan(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> new TreePlan.Chain(1 + random.nextInt(7));
            case 1 ->
                    new TreePlan.LevelWidths(
                            IntStream.range(0, 1 + random.nextInt(3))
                                    .map(_ -> 1 + random.nextInt(4))
                                    .boxed()
                                    .toList());
            default -> {
                var paths = new ArrayList<List<Integer>>();
                paths.add(List.of(random.nextInt(3)));
                for (int i = 0; i < 12; i++) {
                    var path = new ArrayList<Integer>();
                    if (random.nextInt(4) > 0) {
                        path.addAll(paths.get(random.nextInt(paths.size())));
                    }
                    path.add(random.nextInt(5));
                    if (!paths.contains(path)) {
                        paths.add(path);
                    }
                }
                Collections.shuffle(paths, random);
                yield new TreePlan.RankPaths(paths);
            }
        };
    }

    private static PathLogits randomNetwork(Random random, long seed) {
        var styles = PathLogits.Style.values();
        return new PathLogits(VOCABULARY, seed, styles[random.nextInt(styles.length)]);
    }

    private static StopRule randomStop(Random random) {
        return random.nextBoolean()
                ? new StopRule.Never()
                : new StopRule.LowConfidence(0.05 + 0.5 * random.nextDouble());
    }

    /// Nodes are removed only where every node has all its successors: a frontier keeps the nodes that are expected to use up the
    /// budget.
    private static DraftBudget randomBudget(Random random, TreePlan plan, PathLogits.Style style) {
        boolean complete = style == PathLogits.Style.SMOOTH || style == PathLogits.Style.TIED;
        int nodes =
                complete && random.nextBoolean()
                        ? random.nextInt(plan.maxNodes() + 3)
                        : plan.maxNodes();
        return new DraftBudget(nodes, random.nextBoolean() ? nodes : random.nextInt(nodes + 1));
    }

    private static DraftWithRows expand(PathLogits network, TreePlan plan, StopRule stop) {
        return expand(
                new PathStepper(network, COMMITTED), plan, GREEDY, stop, new DraftBudget(99, 99));
    }

    private static DraftWithRows expand(
            DraftStepper stepper,
            TreePlan plan,
            SamplingPolicy policy,
            StopRule stop,
            DraftBudget budget) {
        return new TreeExpander(plan, policy, stop, new DraftVocabulary(VOCABULARY, VOCABULARY))
                .expand(stepper, history(), budget, new RecordingRandomness(0));
    }

    private static TokenHistory history() {
        return TokenHistory.of(COMMITTED.stream().mapToInt(Integer::intValue).toArray());
    }

    static void assertRowsHoldThePaths(DraftWithRows expansion, PathStepper stepper) {
        var tree = expansion.draft().tree();
        for (int node = 1; node < tree.size(); node++) {
            if (expansion.row(node) >= 0) {
                var path = new ArrayList<>(COMMITTED.subList(0, COMMITTED.size() - 1));
                for (int step : tree.path(node)) {
                    path.add(tree.token(step));
                }
                assertThat(stepper.pathOfRow(expansion.row(node))).isEqualTo(path);
            } else {
                assertThat(tree.childCount(node)).isZero();
            }
        }
    }
}
