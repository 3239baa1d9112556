package dev.outrider.engine.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.model.OptimalTrees.PositionalAcceptance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/// Compares Sequoia's dynamic program with an enumeration of all trees.
class OptimalTreesTest {
    private static final double ROUNDING = 1e-12;
    private static final int NODES = 7;
    private static final int DEPTH = 4;
    private static final int RANKS = 3;

    @Test
    void equalsTheBestOfAllTreesOfSevenNodesFourLevelsAndThreeRanks() {
        var all = everyTree(NODES, DEPTH);
        // Every non-empty set of at most seven paths of ranks 0, 1, 2 that is closed under parents
        // and elder siblings.
        assertThat(all).hasSize(395).doesNotHaveDuplicates();
        for (int seed = 0; seed < 100; seed++) {
            var acceptance = random(RANKS, seed, seed % 2 == 0);
            var optimal = new OptimalTrees(acceptance, NODES, DEPTH);
            for (int nodes = 1; nodes <= NODES; nodes++) {
                for (int depth = 1; depth <= DEPTH; depth++) {
                    double best = 1;
                    for (var tree : all) {
                        if (tree.size() <= nodes && depthOf(tree) <= depth) {
                            best = Math.max(best, expectedTokens(acceptance, tree));
                        }
                    }
                    assertThat(optimal.best(nodes, depth).tokens())
                            .as("%s, %d nodes, depth %d", acceptance, nodes, depth)
                            .isCloseTo(best, within(ROUNDING));
                }
            }
        }
    }

    @Test
    void theTreesRebuiltHaveTheValueAndKeepTheLimits() {
        for (int seed = 0; seed < 200; seed++) {
            var acceptance = random(1 + seed % 6, seed, seed % 3 > 0);
            var optimal = new OptimalTrees(acceptance, 40, 7);
            for (int nodes : new int[] {1, 2, 5, 13, 40}) {
                for (int depth : new int[] {1, 2, 4, 7}) {
                    var tree = optimal.best(nodes, depth);
                    assertThat(tree.nodes()).isLessThanOrEqualTo(nodes);
                    assertThat(tree.depth()).isLessThanOrEqualTo(depth);
                    assertThat(tree.paths()).doesNotHaveDuplicates();
                    assertThat(closed(tree.paths())).isTrue();
                    assertThat(expectedTokens(acceptance, tree.paths()))
                            .isCloseTo(tree.tokens(), within(ROUNDING));
                }
            }
        }
    }

    @Test
    void withoutADepthLimitItTakesTheBestNodesFirst() {
        for (int seed = 0; seed < 100; seed++) {
            var acceptance = random(4, seed, true);
            int nodes = 1 + seed % 24;

            assertThat(new OptimalTrees(acceptance, nodes, nodes).best(nodes, nodes).tokens())
                    .isCloseTo(bestFirst(acceptance, nodes), within(ROUNDING));
        }
    }

    @Test
    void aBestFirstTreeCutAtADepthIsNotOptimal() {
        // Negative control: a best-first tree cut at a depth of 1 is not the best tree for a limit
        // of 1.
        var acceptance = new PositionalAcceptance(List.of(0.6, 0.3));
        var limited = new OptimalTrees(acceptance, 2, 1).best(2, 1);

        assertThat(limited.paths()).containsExactly(List.of(0), List.of(1));
        assertThat(bestFirst(acceptance, 2)).isGreaterThan(limited.tokens() + 0.05);
    }

    @Test
    void aChainIsBestWhereOnlyTheFirstGuessIsEverRight() {
        var tree = new OptimalTrees(new PositionalAcceptance(List.of(0.5, 0.0)), 4, 8).best(4, 8);

        assertThat(tree.paths())
                .containsExactly(List.of(0), List.of(0, 0), List.of(0, 0, 0), List.of(0, 0, 0, 0));
        assertThat(tree.tokens()).isCloseTo(SpeedupTheory.expectedTokens(0.5, 4), within(ROUNDING));
    }

    @Test
    void nodesThatAreNeverAcceptedAreLeftOut() {
        var optimal = new OptimalTrees(new PositionalAcceptance(List.of(0.5, 0.0)), 9, 1);

        assertThat(optimal.best(9, 1).paths()).containsExactly(List.of(0));
        var hopeless = new OptimalTrees(new PositionalAcceptance(List.of(0.0)), 9, 9);
        assertThat(hopeless.fastest((_, _) -> 1).nodes()).isZero();
    }

    @Test
    void theFastestTreeIsTheBestOfEveryBudgetAndDepth() {
        for (int seed = 0; seed < 50; seed++) {
            var random = new Random(seed);
            var optimal = new OptimalTrees(random(4, seed, true), 24, 6);
            var cost =
                    new RoundCost(
                            random.nextDouble(),
                            0.1 * random.nextDouble(),
                            new TreeMap<>(Map.of(1, 1.0, 9, 1.1, 25, 1 + random.nextDouble())));

            var fastest = optimal.fastest(cost::of);

            for (int nodes = 1; nodes <= 24; nodes++) {
                for (int depth = 1; depth <= 6; depth++) {
                    var other = optimal.best(nodes, depth);
                    assertThat(cost.speedup(fastest))
                            .isGreaterThanOrEqualTo(cost.speedup(other) - ROUNDING);
                }
            }
        }
    }

    @Test
    void expensiveRowsGiveSmallTrees() {
        var optimal = new OptimalTrees(random(4, 1, true), 32, 8);
        var flat = new RoundCost(0.01, 0, new TreeMap<>(Map.of(1, 1.0, 33, 1.0)));
        var steep = new RoundCost(0.01, 0, new TreeMap<>(Map.of(1, 1.0, 33, 20.0)));

        assertThat(optimal.fastest(steep::of).nodes())
                .isLessThan(optimal.fastest(flat::of).nodes());
    }

    @Test
    void refusesSizesOutOfRange() {
        var acceptance = new PositionalAcceptance(List.of(0.5));
        assertThatThrownBy(() -> new OptimalTrees(acceptance, 0, 1))
                .hasMessage("maxNodes 0 must be between 1 and 1024");
        assertThatThrownBy(() -> new OptimalTrees(acceptance, 1, 65))
                .hasMessage("maxDepth 65 must be between 1 and 64");
        assertThatThrownBy(() -> new OptimalTrees(acceptance, 3, 1).best(4, 1))
                .hasMessage("nodes 4 must be between 1 and 3");
        assertThatThrownBy(() -> new PositionalAcceptance(List.of(0.9, 0.2)))
                .hasMessageStartingWith("acceptance [0.9, 0.2] must have");
    }

    private static PositionalAcceptance random(int ranks, int seed, boolean falling) {
        var random = new Random(seed);
        double[] rates = random.doubles(ranks).toArray();
        double sum = DoubleStream.of(rates).sum() / (0.3 + 0.7 * random.nextDouble());
        var scaled = DoubleStream.of(rates).map(rate -> rate / sum).boxed();
        return new PositionalAcceptance(
                falling ? scaled.sorted(Comparator.reverseOrder()).toList() : scaled.toList());
    }

    /// Returns every tree of at most this many nodes, grown node by node.
    private static List<Set<List<Integer>>> everyTree(int nodes, int depth) {
        Set<Set<List<Integer>>> all = new HashSet<>();
        Set<Set<List<Integer>>> newest = Set.of(Set.of());
        for (int size = 1; size <= nodes; size++) {
            Set<Set<List<Integer>>> larger = new HashSet<>();
            for (var tree : newest) {
                for (var path : addable(tree, depth)) {
                    var grown = new HashSet<>(tree);
                    grown.add(path);
                    larger.add(grown);
                }
            }
            all.addAll(larger);
            newest = larger;
        }
        return List.copyOf(all);
    }

    private static List<List<Integer>> addable(Set<List<Integer>> tree, int depth) {
        var parents = new ArrayList<>(tree);
        parents.add(List.of());
        var paths = new ArrayList<List<Integer>>();
        for (var parent : parents) {
            for (int rank = 0; rank < RANKS && parent.size() < depth; rank++) {
                var child = new ArrayList<>(parent);
                child.add(rank);
                if (!tree.contains(child)) {
                    paths.add(List.copyOf(child));
                    break;
                }
            }
        }
        return paths;
    }

    private static int depthOf(Set<List<Integer>> tree) {
        return tree.stream().mapToInt(List::size).max().orElse(0);
    }

    private static boolean closed(List<List<Integer>> paths) {
        var seen = new HashSet<List<Integer>>();
        seen.add(List.of());
        for (var path : paths) {
            var elder = new ArrayList<>(path);
            elder.set(path.size() - 1, Math.max(0, path.getLast() - 1));
            if (!seen.contains(path.subList(0, path.size() - 1))
                    || (path.getLast() > 0 && !seen.contains(elder))) {
                return false;
            }
            seen.add(path);
        }
        return true;
    }

    private static double expectedTokens(
            PositionalAcceptance acceptance, Collection<List<Integer>> paths) {
        return 1 + paths.stream().mapToDouble(acceptance::ofPath).sum();
    }

    private static double bestFirst(PositionalAcceptance acceptance, int nodes) {
        var queue =
                new PriorityQueue<List<Integer>>(
                        Comparator.comparingDouble(path -> -acceptance.ofPath(path)));
        queue.add(List.of(0));
        double tokens = 1;
        for (int taken = 0; taken < nodes; taken++) {
            var path = queue.remove();
            tokens += acceptance.ofPath(path);
            var below = new ArrayList<>(path);
            below.add(0);
            queue.add(below);
            if (path.getLast() + 1 < acceptance.ranks()) {
                var younger = new ArrayList<>(path);
                younger.set(path.size() - 1, path.getLast() + 1);
                queue.add(younger);
            }
        }
        return tokens;
    }
}
