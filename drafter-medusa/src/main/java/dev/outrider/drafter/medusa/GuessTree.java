package dev.outrider.drafter.medusa;

import dev.outrider.drafting.BestPaths;
import dev.outrider.drafting.LevelPaths;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Trees whose candidates at depth d are the best tokens of head d - 1, whatever their parents are.
///
/// @see "Cai et al. 2024 (Medusa), section 3.1.2"
sealed interface GuessTree {
    /// Returns how many tokens of each head are needed.
    int ranks();

    /// Returns whether probabilities are needed.
    boolean readsProbabilities();

    /// Returns the tree below a root, within a budget.
    TokenTree grow(int rootToken, Guesses guesses, DraftBudget budget);

    /// @throws IllegalArgumentException if the plan's nodes are drawn
    static GuessTree of(TreePlan plan) {
        return switch (plan) {
            case TreePlan.Dynamic dynamic -> new ProbableTree(dynamic);
            case TreePlan.Chain _,
                    TreePlan.LevelWidths _,
                    TreePlan.RankPaths _,
                    TreePlan.SampledWithReplacement _,
                    TreePlan.SampledWithoutReplacement _,
                    TreePlan.SampledPaths _,
                    TreePlan.Coupled _ ->
                    CartesianTree.of(plan);
        };
    }

    /// Trees of rank paths: the plan, or the budget of a round, fixes beforehand which of each head's tokens are taken. Thread-safe.
    ///
    /// @see "Cai et al. 2024 (Medusa), section 3.1.2"
    final class CartesianTree implements GuessTree {
        private static final int NO_NODE = -1;

        private final List<Place> own;
        private final int ranks;
        private volatile LaidOut last = new LaidOut(Optional.empty(), List.of());

        /// The tree of the last budget that had one.
        private record LaidOut(Optional<TreePlan.RankPaths> tree, List<Place> places) {}

        /// A node of the plan.
        ///
        /// @param parent its parent among the places; [#NO_NODE] right below the root
        /// @param depth  at least 1
        /// @param rank   among the head's tokens
        private record Place(int parent, int depth, int rank) {}

        private CartesianTree(List<Place> places) {
            own = places;
            ranks = places.stream().mapToInt(Place::rank).max().orElseThrow() + 1;
        }

        /// @param plan one whose nodes are chosen by rank
        /// @throws IllegalArgumentException if they are not
        static CartesianTree of(TreePlan plan) {
            return new CartesianTree(inOrder(paths(plan)));
        }

        @Override
        public int ranks() {
            return ranks;
        }

        @Override
        public boolean readsProbabilities() {
            return false;
        }

        /// Returns the tree below a root. A smaller budget cuts levels below its depth, then nodes from the end: levels come in order,
        /// within a level the children of earlier parents first, siblings by rank.
        @Override
        public TokenTree grow(int rootToken, Guesses guesses, DraftBudget budget) {
            var tree = TokenTree.builder(rootToken);
            var places = places(budget);
            var nodes = new int[places.size()];
            int left = budget.maxNodes();
            for (int i = 0; i < places.size(); i++) {
                var place = places.get(i);
                nodes[i] = NO_NODE;
                boolean fits =
                        left > 0
                                && place.depth() <= budget.maxDepth()
                                && place.rank() < guesses.tokens()[place.depth() - 1].length;
                int parent = place.parent() == NO_NODE ? 0 : nodes[place.parent()];
                if (fits && parent != NO_NODE) {
                    nodes[i] = tree.add(parent, guesses.tokens()[place.depth() - 1][place.rank()]);
                    left--;
                }
            }
            return tree.build();
        }

        private List<Place> places(DraftBudget budget) {
            if (budget.tree().isEmpty()) {
                return own;
            }
            var laidOut = last;
            if (!laidOut.tree().equals(budget.tree())) {
                laidOut = new LaidOut(budget.tree(), inOrder(budget.tree().get().paths()));
                last = laidOut;
            }
            return laidOut.places();
        }

        private static List<Place> inOrder(List<List<Integer>> paths) {
            var sorted = new ArrayList<>(paths);
            sorted.sort(
                    Comparator.comparingInt((List<Integer> path) -> path.size())
                            .thenComparing(CartesianTree::lexicographic));
            var places = new ArrayList<Place>();
            for (var path : sorted) {
                int parent = sorted.indexOf(path.subList(0, path.size() - 1));
                places.add(new Place(parent, path.size(), path.getLast()));
            }
            return places;
        }

        private static int lexicographic(List<Integer> one, List<Integer> other) {
            for (int i = 0; i < one.size(); i++) {
                int order = Integer.compare(one.get(i), other.get(i));
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }

        /// Returns the rank paths of a plan.
        ///
        /// @throws IllegalArgumentException if its nodes are drawn
        static List<List<Integer>> paths(TreePlan plan) {
            return switch (plan) {
                case TreePlan.Chain(int length) -> LevelPaths.of(Collections.nCopies(length, 1));
                case TreePlan.LevelWidths(var widths) -> LevelPaths.of(widths);
                case TreePlan.RankPaths(var paths) -> paths;
                case TreePlan.Dynamic _ ->
                        throw new IllegalStateException("grown, not listed: " + plan);
                case TreePlan.SampledWithReplacement _,
                        TreePlan.SampledWithoutReplacement _,
                        TreePlan.SampledPaths _,
                        TreePlan.Coupled _ ->
                        throw new IllegalArgumentException(
                                "'tree' has sampled nodes, but Medusa's heads are ranked once a round;"
                                        + " give widths, paths, or topK, depth and totalNodes");
            };
        }
    }

    /// The `totalNodes` nodes with the greatest products of the heads' probabilities along their paths, at most `topK` tokens
    /// of each head and `depth` levels. Deterministic, and best first ([BestPaths]).
    record ProbableTree(TreePlan.Dynamic plan) implements GuessTree {
        @Override
        public int ranks() {
            return plan.topK();
        }

        @Override
        public boolean readsProbabilities() {
            return true;
        }

        @Override
        public TokenTree grow(int rootToken, Guesses guesses, DraftBudget budget) {
            var tree = TokenTree.builder(rootToken);
            int deepest = Math.min(budget.maxDepth(), plan.maxDepth());
            BestPaths.grow(
                    slots(guesses, deepest),
                    Math.min(budget.maxNodes(), plan.totalNodes()),
                    _ -> true,
                    tree::add);
            return tree.build();
        }

        private List<BestPaths.Slot> slots(Guesses guesses, int deepest) {
            return IntStream.range(0, deepest).mapToObj(head -> slot(guesses, head)).toList();
        }

        private BestPaths.Slot slot(Guesses guesses, int head) {
            int ranks = Math.min(plan.topK(), guesses.tokens()[head].length);
            return new BestPaths.Slot(
                    IntStream.range(0, ranks).map(rank -> guesses.tokens()[head][rank]).toArray(),
                    IntStream.range(0, ranks)
                            .mapToDouble(rank -> guesses.scores()[head][rank])
                            .toArray());
        }
    }
}
