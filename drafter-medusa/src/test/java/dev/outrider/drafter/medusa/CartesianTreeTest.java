package dev.outrider.drafter.medusa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.StopRule;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.tree.TokenTree;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CartesianTreeTest {
    private static final int VOCABULARY = 30;
    private static final int HEADS = 5;

    static List<TreePlan> plans() {
        return List.of(
                new TreePlan.Chain(4),
                new TreePlan.LevelWidths(List.of(3, 2, 2)),
                new TreePlan.RankPaths(
                        List.of(
                                List.of(2, 0),
                                List.of(0),
                                List.of(2),
                                List.of(0, 3),
                                List.of(0, 3, 1),
                                List.of(0, 1))),
                randomPaths(3),
                randomPaths(4));
    }

    /// Every node's tokens along its path are the ranks of one listed path, and every listed path is there once.
    @ParameterizedTest
    @MethodSource("plans")
    void thePathsOfATreeAreThePathsOfThePlan(TreePlan plan) {
        var logits = logits(5);
        var tree = grow(plan, logits, new DraftBudget(plan.maxNodes(), plan.maxDepth()));

        Set<List<Integer>> found = new HashSet<>();
        for (int node = 1; node < tree.size(); node++) {
            var path = new ArrayList<Integer>();
            for (int ancestor : tree.path(node)) {
                if (ancestor > 0) {
                    path.add(rank(logits[tree.depth(ancestor) - 1], tree.token(ancestor)));
                }
            }
            assertThat(found.add(path)).isTrue();
        }
        assertThat(found).isEqualTo(new HashSet<>(GuessTree.CartesianTree.paths(plan)));
    }

    /// The shared expansion, given whole rows of logits that depend on the depth alone, is the slow twin.
    @ParameterizedTest
    @MethodSource("plans")
    void treesOfAnyBudgetEqualThoseOfTheSharedExpansion(TreePlan plan) {
        var logits = logits(9);
        for (int depth = 1; depth <= plan.maxDepth(); depth++) {
            for (int nodes = depth; nodes <= plan.maxNodes(); nodes++) {
                var budget = new DraftBudget(nodes, depth);
                assertThat(grow(plan, logits, budget))
                        .as("%s", budget)
                        .isEqualTo(expand(plan, logits, budget));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("plans")
    void aBudgetMayLayOutTheTree(TreePlan plan) {
        var logits = logits(9);
        var wide = new TreePlan.LevelWidths(List.of(8, 5, 5, 5, 1));
        var asked = new TreePlan.RankPaths(GuessTree.CartesianTree.paths(plan));
        var budget = new DraftBudget(wide.maxNodes(), wide.maxDepth(), 0, Optional.of(asked));

        assertThat(grow(wide, logits, budget))
                .isEqualTo(grow(plan, logits, new DraftBudget(plan.maxNodes(), plan.maxDepth())));
    }

    @Test
    void ranksThatTheVocabularyDoesNotHaveAreLeftOutWithAllBelowThem() {
        var plan =
                new TreePlan.RankPaths(
                        List.of(List.of(0), List.of(3), List.of(3, 0), List.of(0, 0)));
        var guesses = new Guesses(new int[][] {{1, 0}, {0, 1}}, new float[2][2]);

        var tree = GuessTree.CartesianTree.of(plan).grow(5, guesses, new DraftBudget(4, 2));

        assertThat(tree).isEqualTo(TokenTree.chain(5, 1, 0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void drawnNodesAreRefused(boolean distinct) {
        var plan =
                distinct
                        ? new TreePlan.SampledWithoutReplacement(List.of(2))
                        : new TreePlan.SampledWithReplacement(List.of(2));
        assertThatThrownBy(() -> GuessTree.CartesianTree.of(plan))
                .hasMessage(
                        "'tree' has sampled nodes, but Medusa's heads are ranked once a round; give"
                                + " widths, paths, or topK, depth and totalNodes");
    }

    private static TokenTree grow(TreePlan plan, float[][] logits, DraftBudget budget) {
        var tree = GuessTree.CartesianTree.of(plan);
        var tokens = new int[HEADS][];
        for (int head = 0; head < HEADS; head++) {
            var row = logits[head];
            tokens[head] =
                    IntStream.range(0, VOCABULARY)
                            .boxed()
                            .sorted(Comparator.comparingDouble((Integer id) -> -row[id]))
                            .limit(tree.ranks())
                            .mapToInt(Integer::intValue)
                            .toArray();
        }
        return tree.grow(7, new Guesses(tokens, new float[HEADS][tree.ranks()]), budget);
    }

    private static TokenTree expand(TreePlan plan, float[][] logits, DraftBudget budget) {
        var expander =
                new TreeExpander(
                        plan,
                        SamplingPolicy.argmax(),
                        new StopRule.Never(),
                        new DraftVocabulary(VOCABULARY, VOCABULARY));
        return expander.expand(
                        new ByDepth(logits),
                        TokenHistory.of(new int[] {1, 7}),
                        budget,
                        new NoRandomness())
                .draft()
                .tree();
    }

    /// Trees chosen by rank draw nothing.
    private record NoRandomness() implements Randomness {
        @Override
        public boolean accept(int node, double numerator, double denominator) {
            throw new IllegalStateException("nothing is accepted here");
        }

        @Override
        public int draw(Randomness.Role role, int node, double[] distribution) {
            throw new IllegalStateException("nothing is drawn");
        }

        @Override
        public int[] gumbelTopK(int position, double[] distribution, int count) {
            throw new IllegalStateException("nothing is drawn");
        }

        @Override
        public double uniform(Randomness.Role role, int node) {
            throw new IllegalStateException("nothing is drawn");
        }
    }

    /// Gives every node of a depth the same logits.
    private record ByDepth(float[][] logits) implements DraftStepper {
        @Override
        public LogitRows root() {
            return _ -> MemorySegment.ofArray(logits[0]);
        }

        @Override
        public LogitRows step(List<StepInput> nodes) {
            int depth = nodes.getFirst().depth();
            return _ -> MemorySegment.ofArray(logits[depth]);
        }
    }

    private static int rank(float[] row, int token) {
        int rank = 0;
        for (float other : row) {
            rank += other > row[token] ? 1 : 0;
        }
        return rank;
    }

    private static float[][] logits(long seed) {
        var random = new SplittableRandom(seed);
        var logits = new float[HEADS][VOCABULARY];
        for (var row : logits) {
            for (int i = 0; i < row.length; i++) {
                row[i] = (float) random.nextGaussian();
            }
        }
        return logits;
    }

    private static TreePlan randomPaths(long seed) {
        var random = new SplittableRandom(seed);
        var paths = new ArrayList<List<Integer>>();
        paths.add(List.of());
        while (paths.size() < 20) {
            var parent = paths.get(random.nextInt(paths.size()));
            var path = new ArrayList<>(parent);
            path.add(random.nextInt(6));
            if (path.size() <= HEADS && !paths.contains(path)) {
                paths.add(List.copyOf(path));
            }
        }
        return new TreePlan.RankPaths(paths.subList(1, paths.size()));
    }
}
