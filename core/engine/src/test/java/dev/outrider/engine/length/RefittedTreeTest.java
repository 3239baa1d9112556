package dev.outrider.engine.length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.Rounds;
import dev.outrider.engine.model.OptimalTrees;
import dev.outrider.engine.model.OptimalTrees.PositionalAcceptance;
import dev.outrider.engine.model.RoundCost;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// For any acceptance and costs: nearly the speed of the best tree for known acceptance and costs,
/// and at most slightly slower than plain decoding.
class RefittedTreeTest {
    private static final int SEEDS = 3;
    private static final int SEQUENCES = 60;

    /// Three children of the root, two of each of them, then one each: 3 + 6 + 6 + 6 nodes.
    private static final List<List<Integer>> WIDE = widths(3, 2, 1, 1);

    private static final List<List<Integer>> DEEP = widths(2, 1, 1, 1, 1, 1, 1, 1);

    private static final PositionalAcceptance NEVER = new PositionalAcceptance(List.of(0.0, 0.0));
    private static final PositionalAcceptance SELDOM =
            new PositionalAcceptance(List.of(0.25, 0.15, 0.1));
    private static final PositionalAcceptance OFTEN =
            new PositionalAcceptance(List.of(0.8, 0.08, 0.03));
    private static final PositionalAcceptance SECOND =
            new PositionalAcceptance(List.of(0.45, 0.35, 0.1));

    /// A target limited by memory.
    private static final RoundCost CHEAP_ROWS = cost(50_000, 1_000_000, 30_000);

    /// A target in the processor's cache.
    private static final RoundCost DEAR_ROWS = cost(100_000, 1_000_000, 400_000);

    private static final RoundCost DEAR_DRAFTS = cost(400_000, 1_000_000, 30_000);

    static Stream<Arguments> steady() {
        return Stream.of(NEVER, SELDOM, OFTEN, SECOND)
                .flatMap(acceptance ->
                        Stream.of(CHEAP_ROWS, DEAR_ROWS, DEAR_DRAFTS)
                                .flatMap(cost ->
                                        Stream.of(WIDE, DEEP)
                                                .map(own -> Arguments.of(acceptance, cost, own))));
    }

    @ParameterizedTest
    @MethodSource("steady")
    void itIsNearlyAsFastAsTheTreeOfOneWhoKnows(
            PositionalAcceptance acceptance, RoundCost cost, List<List<Integer>> own) {
        var run = new SimulatedTrees(own, _ -> acceptance, _ -> cost);
        int depth = own.stream().mapToInt(List::size).max().orElseThrow();
        int ranks = 1 + own.stream().mapToInt(List::getLast).max().orElseThrow();
        var offered = new PositionalAcceptance(acceptance.rates().stream().limit(ranks).toList());
        var known = new OptimalTrees(offered, own.size(), depth).fastest(cost::of);
        double best =
                Math.min(cost.plain(), cost.of(known.nodes(), known.depth()) / known.tokens());

        double refitted = mean(run, () -> new RefittedTree(128, 0.01).shared());

        assertThat(best / refitted).isGreaterThan(0.95);
        assertThat(cost.plain() / refitted).isGreaterThan(0.97);
    }

    /// Control: the configured tree.
    @Test
    void theDraftersOwnTreeIsSlower() {
        var run = new SimulatedTrees(WIDE, _ -> OFTEN, _ -> DEAR_ROWS);

        double own = mean(run, () -> () -> FixedLength.drafterLimit().start());

        assertThat(mean(run, () -> new RefittedTree(128, 0.01).shared())).isLessThan(0.75 * own);
    }

    @Test
    void anotherTextGetsAnotherTree() {
        int turn = 1500;
        var run = new SimulatedTrees(WIDE, round -> round < turn ? OFTEN : SECOND, _ -> CHEAP_ROWS);

        double once = mean(run, () -> new RefittedTree(1_000_000, 0.01).shared());

        assertThat(mean(run, () -> new RefittedTree(128, 0.01).shared())).isLessThan(once);
    }

    @Test
    void whatOneSequenceLearnedTheNextBeginsWith() {
        var run = new SimulatedTrees(WIDE, _ -> NEVER, _ -> DEAR_ROWS);
        var policies = new RefittedTree(128, 0.01).shared();

        double first = run.timePerToken(policies, 1, 1);

        assertThat(run.timePerToken(policies, 1, 2)).isLessThan(0.8 * first);
    }

    /// No probe size is timed if every sequence ends before a tree was requested twice in a row.
    @Test
    void sequencesOfOneRoundTeachNothingAndFailNothing() {
        var policies = new RefittedTree(128, 0.01).shared();
        for (int sequence = 0; sequence < 100; sequence++) {
            var policy = policies.get();
            int depth = Math.min(4, policy.next());
            policy.observe(Rounds.timed(depth, 0, 5, 100));

            assertThat(policy.reason()).isEqualTo("learning");
        }
    }

    @Test
    void itSaysWhy() {
        var policy = new RefittedTree(32, 0.1).start();
        var reasons = new ArrayList<String>();
        for (int round = 0; round < 400; round++) {
            int depth = Math.min(4, policy.next());
            reasons.add(policy.reason());
            policy.observe(Rounds.timed(depth, depth, 5, 100));
        }

        assertThat(reasons).startsWith("learning").contains("best", "trial");
        assertThat(reasons.subList(100, 400)).doesNotContain("learning");
    }

    @Test
    void aDrafterThatGrowsOtherTreesIsRefused() {
        var policy = new RefittedTree(32, 0.1).start();
        var tree = TokenTree.builder(0);
        tree.add(0, 1);
        tree.add(0, 2);
        tree.add(0, 3);
        var draft = new Draft(tree.build(), new Selection.PointMass());
        var verdict = new Verdict(List.of(), 0, Origin.CORRECTION);
        var round = new RoundCompleted(0, draft, verdict, 1, new StageTimes(1, 1, 0, 0, 0, 0));

        assertThatThrownBy(
                        () -> {
                            for (int i = 0; i < 20; i++) {
                                policy.next();
                                policy.observe(round);
                            }
                        })
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("was asked for the tree [[0]] and drafted the node [1]");
    }

    private static double mean(SimulatedTrees run, Supplier<Supplier<DraftLengthPolicy>> policies) {
        return IntStream.range(0, SEEDS)
                .mapToDouble(seed -> run.timePerToken(policies.get(), SEQUENCES, seed))
                .average()
                .orElseThrow();
    }

    private static RoundCost cost(double level, double pass, double row) {
        var byRows = new TreeMap<Integer, Double>(Map.of());
        for (int rows = 1; rows <= 64; rows++) {
            byRows.put(rows, pass + row * (rows - 1));
        }
        return new RoundCost(level, 0, byRows);
    }

    private static List<List<Integer>> widths(int... widths) {
        List<List<Integer>> all = new ArrayList<>();
        List<List<Integer>> level = List.of(List.of());
        for (int width : widths) {
            List<List<Integer>> below = new ArrayList<>();
            for (var path : level) {
                for (int rank = 0; rank < width; rank++) {
                    var child = new ArrayList<>(path);
                    child.add(rank);
                    below.add(List.copyOf(child));
                }
            }
            all.addAll(below);
            level = below;
        }
        return all;
    }
}
