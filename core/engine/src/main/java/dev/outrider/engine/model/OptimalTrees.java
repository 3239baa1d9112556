package dev.outrider.engine.model;

import dev.outrider.common.Require;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The trees with the most expected tokens for every number of nodes and depth, by dynamic programming.
///
/// `value[l][m][b]` is the most expected tokens of a tree with m nodes and at most l levels, the root counted in both, whose
/// root has exactly the children of ranks 0 to b - 1:
///
/// ```
/// value[l][1][0] = 1
/// value[l][m][b] = max over y of value[l][y][b-1] + p[b-1] * best[l-1][m-y]
/// best[l][m]     = max over b of value[l][m][b]
/// ```
///
/// where y is what is left for the root and its elder children. Kept splits rebuild the tree. Time and space are
/// O(n^2 l w) and O(n l w) for n nodes, l levels and w ranks. Immutable.
///
/// @see "Chen et al. 2024 (Sequoia), section 3.1 and appendix: tree construction; docs/reference/algorithms.md A8"
public final class OptimalTrees {
    private static final double IMPOSSIBLE = Double.NEGATIVE_INFINITY;

    private final int maxNodes;
    private final int maxDepth;
    private final int ranks;
    private final double[][][] value;
    private final short[][][] elders;
    private final double[][] best;
    private final short[][] children;

    /// A tree of ranks.
    ///
    /// @param paths  rank paths of the drafted nodes, parents before children
    /// @param tokens expected tokens of a round
    public record Tree(List<List<Integer>> paths, double tokens) {
        public Tree {
            paths = List.copyOf(paths);
        }

        /// Drafted nodes.
        public int nodes() {
            return paths.size();
        }

        /// Maximum depth.
        public int depth() {
            return paths.stream().mapToInt(List::size).max().orElse(0);
        }
    }

    /// Works out all trees up to a size.
    ///
    /// @param acceptance by rank
    /// @param maxNodes   most drafted nodes, 1 to 1024
    /// @param maxDepth   greatest depth, 1 to 64
    public OptimalTrees(PositionalAcceptance acceptance, int maxNodes, int maxDepth) {
        Require.between("maxNodes", maxNodes, 1, 1024);
        Require.between("maxDepth", maxDepth, 1, 64);
        this.maxNodes = maxNodes;
        this.maxDepth = maxDepth;
        this.ranks = Math.min(acceptance.ranks(), maxNodes);
        this.value = new double[maxDepth + 2][maxNodes + 2][ranks + 1];
        this.elders = new short[maxDepth + 2][maxNodes + 2][ranks + 1];
        this.best = new double[maxDepth + 2][maxNodes + 2];
        this.children = new short[maxDepth + 2][maxNodes + 2];
        for (int levels = 1; levels <= maxDepth + 1; levels++) {
            fill(levels, acceptance);
        }
    }

    /// The tree of most expected tokens with at most so many nodes; the smallest among equals.
    ///
    /// @param nodes drafted nodes, 1 to the limit
    /// @param depth greatest depth, 1 to the limit
    public Tree best(int nodes, int depth) {
        Require.between("nodes", nodes, 1, maxNodes);
        Require.between("depth", depth, 1, maxDepth);
        int chosen = 1;
        for (int size = 2; size <= nodes + 1; size++) {
            if (best[depth + 1][size] > best[depth + 1][chosen]) {
                chosen = size;
            }
        }
        var paths = new ArrayList<List<Integer>>();
        rebuild(depth + 1, chosen, List.of(), paths);
        paths.sort((one, other) ->
                one.size() != other.size()
                        ? Integer.compare(one.size(), other.size())
                        : Arrays.compare(ranks(one), ranks(other)));
        return new Tree(paths, best[depth + 1][chosen]);
    }

    /// The time of a round with a tree of so many nodes and levels.
    @FunctionalInterface
    public interface RoundTime {
        /// @param nodes drafted nodes, at least 1
        /// @param depth levels of them, at least 1
        double of(int nodes, int depth);
    }

    /// The tree of least time per expected token over all numbers of nodes and depths; the smallest among equals.
    ///
    /// @param roundTime time of a round, positive; not less for more levels
    /// @return without nodes only if no guess is ever accepted
    public Tree fastest(RoundTime roundTime) {
        double least = Double.POSITIVE_INFINITY;
        int levels = 1;
        int chosen = 1;
        for (int nodes = 1; nodes <= maxNodes; nodes++) {
            for (int depth = 1; depth <= Math.min(nodes, maxDepth); depth++) {
                double tokens = best[depth + 1][nodes + 1];
                double time = roundTime.of(nodes, depth) / tokens;
                if (tokens > 1 && time < least) {
                    least = time;
                    levels = depth;
                    chosen = nodes;
                }
            }
        }
        return best(chosen, levels);
    }

    private void fill(int levels, PositionalAcceptance acceptance) {
        for (int size = 1; size <= maxNodes + 1; size++) {
            Arrays.fill(value[levels][size], IMPOSSIBLE);
            if (size == 1) {
                value[levels][1][0] = 1;
            } else if (levels > 1) {
                for (int child = 1; child <= ranks; child++) {
                    split(levels, size, child, acceptance.rates().get(child - 1));
                }
            }
            int most = 0;
            for (int count = 1; count <= ranks; count++) {
                if (value[levels][size][count] > value[levels][size][most]) {
                    most = count;
                }
            }
            best[levels][size] = value[levels][size][most];
            children[levels][size] = (short) most;
        }
    }

    /// The best division of the nodes between the root's last child and the rest.
    private void split(int levels, int size, int child, double rate) {
        for (int rest = 1; rest < size; rest++) {
            double before = value[levels][rest][child - 1];
            double below = best[levels - 1][size - rest];
            if (before > IMPOSSIBLE && below > IMPOSSIBLE) {
                double total = before + rate * below;
                if (total > value[levels][size][child]) {
                    value[levels][size][child] = total;
                    elders[levels][size][child] = (short) rest;
                }
            }
        }
    }

    private void rebuild(int levels, int size, List<Integer> path, List<List<Integer>> paths) {
        int left = size;
        for (int child = children[levels][size]; child > 0; child--) {
            int rest = elders[levels][left][child];
            var below = new ArrayList<>(path);
            below.add(child - 1);
            paths.add(List.copyOf(below));
            rebuild(levels - 1, left - rest, below, paths);
            left = rest;
        }
    }

    private static int[] ranks(List<Integer> path) {
        return path.stream().mapToInt(Integer::intValue).toArray();
    }

    /// By rank, the probability that the child of this rank is the accepted one, given that its parent was accepted. The rest
    /// to 1 is the probability that none of them is.
    ///
    /// The assumption behind it: the probability depends on the child's rank alone, not on the depth or the text.
    ///
    /// @param rates by rank from 0; each at least 0, at most 1 in all
    /// @see "Chen et al. 2024 (Sequoia), definition 3.1: positional acceptance"
    public record PositionalAcceptance(List<Double> rates) {
        private static final double ROUNDING = 1e-9;

        public PositionalAcceptance {
            rates = List.copyOf(rates);
            double sum = rates.stream().mapToDouble(Double::doubleValue).sum();
            Require.that(
                    !rates.isEmpty()
                            && rates.stream().allMatch(rate -> rate >= 0)
                            && sum <= 1 + ROUNDING,
                    "acceptance %s must have at least one rank, no negative rate and at most 1 in all",
                    rates);
        }

        /// Number of ranks, w.
        public int ranks() {
            return rates.size();
        }

        /// Probability that a node is accepted: the product of the rates along its path. Ranks beyond the last are never
        /// accepted.
        public double ofPath(List<Integer> path) {
            double product = 1;
            for (int rank : path) {
                product *= rank < rates.size() ? rates.get(rank) : 0;
            }
            return product;
        }
    }
}
