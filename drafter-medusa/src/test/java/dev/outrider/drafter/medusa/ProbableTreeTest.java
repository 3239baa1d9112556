package dev.outrider.drafter.medusa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafter.medusa.GuessTree.Guesses;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The best-first growth against all paths, sorted.
class ProbableTreeTest {
    private static final int HEADS = 3;
    private static final int RANKS = 4;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 13, 40, 84, 200})
    void theNodesAreThoseWithTheGreatestProducts(int totalNodes) {
        for (long seed = 0; seed < 20; seed++) {
            var guesses = guesses(seed);
            int depth = Math.min(HEADS, totalNodes);
            var plan = new TreePlan.Dynamic(RANKS, depth, totalNodes);
            var tree =
                    new GuessTree.ProbableTree(plan)
                            .grow(9, guesses, new DraftBudget(totalNodes, depth));

            assertThat(new HashSet<>(paths(tree)))
                    .isEqualTo(new HashSet<>(best(guesses, depth, totalNodes)));
        }
    }

    @Test
    void aSmallerBudgetKeepsTheMostProbableNodesThatFit() {
        var guesses = guesses(3);
        var tree = new GuessTree.ProbableTree(new TreePlan.Dynamic(RANKS, HEADS, 30));
        assertThat(new HashSet<>(paths(tree.grow(9, guesses, new DraftBudget(7, 2)))))
                .isEqualTo(new HashSet<>(best(guesses, 2, 7)));
        assertThat(tree.grow(9, guesses, new DraftBudget(0, 0)).draftedNodes()).isZero();
    }

    @Test
    void ofEqualsTheShallowerComesFirst() {
        var certain = new float[HEADS][RANKS];
        for (var scores : certain) {
            Arrays.fill(scores, 0, RANKS, -5);
            scores[0] = 0;
        }
        var tokens = guesses(1).tokens();
        var tree =
                new GuessTree.ProbableTree(new TreePlan.Dynamic(RANKS, HEADS, 3))
                        .grow(9, new Guesses(tokens, certain), new DraftBudget(3, 3));

        assertThat(tree).isEqualTo(TokenTree.chain(9, tokens[0][0], tokens[1][0], tokens[2][0]));
    }

    /// Paths of ranks: a head's token is ten times the head plus the rank.
    private static List<List<Integer>> paths(TokenTree tree) {
        var paths = new ArrayList<List<Integer>>();
        for (int node = 1; node < tree.size(); node++) {
            var path = new ArrayList<Integer>();
            for (int ancestor : tree.path(node)) {
                if (ancestor > 0) {
                    path.add(tree.token(ancestor) - 10 * (tree.depth(ancestor) - 1));
                }
            }
            paths.add(path);
        }
        assertThat(paths).doesNotHaveDuplicates();
        return paths;
    }

    private static List<List<Integer>> best(Guesses guesses, int depth, int count) {
        var all = new ArrayList<List<Integer>>();
        List<List<Integer>> level = List.of(List.of());
        for (int head = 0; head < depth; head++) {
            var next = new ArrayList<List<Integer>>();
            for (var path : level) {
                for (int rank = 0; rank < RANKS; rank++) {
                    var longer = new ArrayList<>(path);
                    longer.add(rank);
                    next.add(longer);
                }
            }
            all.addAll(next);
            level = next;
        }
        all.sort(Comparator.comparingDouble((List<Integer> path) -> -score(guesses, path)));
        return all.subList(0, Math.min(count, all.size()));
    }

    private static double score(Guesses guesses, List<Integer> path) {
        double score = 0;
        for (int head = 0; head < path.size(); head++) {
            score += guesses.scores()[head][path.get(head)];
        }
        return score;
    }

    private static Guesses guesses(long seed) {
        var random = new SplittableRandom(seed);
        var tokens = new int[HEADS][RANKS];
        var scores = new float[HEADS][RANKS];
        for (int head = 0; head < HEADS; head++) {
            double mass = 1;
            for (int rank = 0; rank < RANKS; rank++) {
                tokens[head][rank] = 10 * head + rank;
                mass *= random.nextDouble(0.3, 0.9);
                scores[head][rank] = (float) Math.log(mass);
            }
        }
        return new Guesses(tokens, scores);
    }
}
