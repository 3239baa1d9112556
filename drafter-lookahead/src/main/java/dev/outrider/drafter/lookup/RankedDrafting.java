package dev.outrider.drafter.lookup;

import dev.outrider.common.Require;
import dev.outrider.drafting.LevelPaths;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.tree.TreeShape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/// Settings of drafters that draft static trees of ranks from a [SuccessorStore].
public record RankedDrafting(
        @Doc("Nodes of the static tree, 1 to 512; the most promising ranks are taken first.")
                @Default("16")
                int nodes,
        @Doc("Depth of the static tree, 1 to 32.") @Default("6") int depth,
        @Doc("A tree of ranks in place of 'nodes' and 'depth': chain, widths or paths.")
                Optional<TreePlan> tree,
        @Doc(
                        "Whether what follows what in the prompt, and in the source of an encoder-decoder, is learnt before the first round.")
                @Default("true")
                boolean seedFromPrompt,
        @Doc(
                        "Whether a sequence starts from what the one that closed last had learnt. Drafts, and sampled"
                                + " output, then depend on their order; the output's distribution does not.")
                @Default("false")
                boolean keepAcrossSequences) {
    private static final int MAX_NODES = 512;
    private static final int MAX_DEPTH = 32;

    public RankedDrafting {
        Require.between("nodes", nodes, 1, MAX_NODES);
        Require.between("depth", depth, 1, MAX_DEPTH);
        tree.ifPresent(RankTree::of);
    }

    /// Returns the static tree.
    public RankTree rankTree() {
        return tree.map(RankTree::of).orElseGet(() -> RankTree.grown(nodes, depth));
    }

    /// Returns the traits of a drafter of such trees that reads no scores.
    public DrafterTraits traits() {
        var ranks = rankTree();
        return DrafterTraits.tree(ranks.size(), ranks.depth())
                .shaped(ranks.isChain() ? TreeShape.CHAIN : TreeShape.TREE);
    }

    /// A static tree of ranks: node i is successor number `rank(i)` of its parent. The first nodes are
    /// the most promising ones, and every prefix of the list is a tree, so a smaller budget takes a
    /// prefix. Immutable.
    ///
    /// @param ranks   rank of each node, 0 the best
    /// @param parents index of each node's parent, -1 for children of the root; smaller than its own
    /// @param depths  distance from the root, at least 1
    public record RankTree(List<Integer> ranks, List<Integer> parents, List<Integer> depths) {
        /// Maximum number of successors of a context.
        public static final int MAX_RANKS = 8;

        /// Assumed share of successors with rank 0, 1, 2, …. It reproduces the level sizes of the
        /// published tree of 80 nodes within three nodes a level.
        private static final double[] RANK_SHARES = {.5, .12, .078, .051, .033, .021, .014, .009};

        public RankTree {
            ranks = List.copyOf(ranks);
            parents = List.copyOf(parents);
            depths = List.copyOf(depths);
        }

        /// Returns the number of nodes.
        public int size() {
            return ranks.size();
        }

        /// Returns the distance of the deepest node from the root.
        public int depth() {
            return depths.stream().mapToInt(Integer::intValue).max().orElseThrow();
        }

        /// Returns whether no node has two children.
        public boolean isChain() {
            for (int node = 0; node < size(); node++) {
                if (parents.get(node) != node - 1) {
                    return false;
                }
            }
            return true;
        }

        /// Returns the maximum rank plus one: the number of successors of a token that are used.
        public int width() {
            return ranks.stream().mapToInt(Integer::intValue).max().orElseThrow() + 1;
        }

        /// Returns the tree with the maximum expected number of accepted nodes for independent ranks:
        /// nodes are taken by descending product of the shares on their path.
        ///
        /// @see "Chen et al. 2024 (Sequoia), section 3.1; docs/reference/algorithms.md A8, the case
        ///     without level limits"
        public static RankTree grown(int nodes, int depth) {
            var paths = new ArrayList<List<Integer>>();
            var queue =
                    new PriorityQueue<Candidate>(
                            Comparator.comparingDouble((Candidate candidate) -> -candidate.chance())
                                    .thenComparingInt(Candidate::number));
            int number = 0;
            queue.add(new Candidate(number++, List.of(0), RANK_SHARES[0]));
            while (paths.size() < nodes && !queue.isEmpty()) {
                var best = queue.remove();
                var path = best.path();
                paths.add(path);
                int rank = path.getLast();
                if (rank + 1 < RANK_SHARES.length) {
                    double sibling = best.chance() / RANK_SHARES[rank] * RANK_SHARES[rank + 1];
                    var before = path.subList(0, path.size() - 1);
                    queue.add(new Candidate(number++, followed(before, rank + 1), sibling));
                }
                if (path.size() < depth) {
                    double child = best.chance() * RANK_SHARES[0];
                    queue.add(new Candidate(number++, followed(path, 0), child));
                }
            }
            return inOrder(paths);
        }

        private static List<Integer> followed(List<Integer> path, int rank) {
            return Stream.concat(path.stream(), Stream.of(rank)).toList();
        }

        /// Returns the tree of a plan that selects nodes by rank.
        ///
        /// @throws IllegalArgumentException if the plan draws or searches, or needs more ranks than are
        ///     stored
        public static RankTree of(TreePlan plan) {
            return switch (plan) {
                case TreePlan.Chain(int length) ->
                        ofPaths(LevelPaths.of(Collections.nCopies(length, 1)));
                case TreePlan.LevelWidths(var widths) -> ofPaths(LevelPaths.of(widths));
                case TreePlan.RankPaths(var paths) -> ofPaths(paths);
                case TreePlan.Dynamic _ -> throw refused("dynamic");
                case TreePlan.SampledWithReplacement _ -> throw refused("sampled-with-replacement");
                case TreePlan.SampledWithoutReplacement _ ->
                        throw refused("sampled-without-replacement");
                case TreePlan.SampledPaths _ -> throw refused("sampled-paths");
                case TreePlan.Coupled _ -> throw refused("coupled");
            };
        }

        private static RankTree ofPaths(List<List<Integer>> paths) {
            paths.forEach(path ->
                    Require.that(
                            path.getLast() < MAX_RANKS,
                            "tree has a node of rank %d, but only ranks 0 to %d are remembered",
                            path.getLast(),
                            MAX_RANKS - 1));
            return inOrder(
                    paths.stream()
                            .sorted(
                                    Comparator.<List<Integer>>comparingInt(List::size)
                                            .thenComparing(List::getLast))
                            .toList());
        }

        /// Returns the tree of these paths, each after its prefixes.
        private static RankTree inOrder(List<List<Integer>> paths) {
            var nodes = new HashMap<List<Integer>, Integer>();
            paths.forEach(path -> nodes.put(path, nodes.size()));
            return new RankTree(
                    paths.stream().map(List::getLast).toList(),
                    paths.stream()
                            .map(path -> nodes.getOrDefault(path.subList(0, path.size() - 1), -1))
                            .toList(),
                    paths.stream().map(List::size).toList());
        }

        private static IllegalArgumentException refused(String plan) {
            return new IllegalArgumentException(
                    "tree '%s' cannot be used: successors are remembered by rank; expected chain, level-widths or rank-paths"
                            .formatted(plan));
        }

        private record Candidate(int number, List<Integer> path, double chance) {}
    }
}
