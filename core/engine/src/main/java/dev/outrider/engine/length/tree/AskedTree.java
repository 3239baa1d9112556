package dev.outrider.engine.length.tree;

import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// A tree that a round may be asked for. Immutable.
///
/// @param number tells it from others
/// @param depth  greatest depth; 0 is plain decoding
/// @param tree   rank paths; empty for the drafter's own tree and for plain decoding
record AskedTree(int number, int depth, Optional<TreePlan.RankPaths> tree) {
    /// The drafter's own.
    static AskedTree own(int number) {
        return new AskedTree(number, Integer.MAX_VALUE, Optional.empty());
    }

    /// @param paths of all nodes; none for plain decoding
    static AskedTree of(int number, List<List<Integer>> paths) {
        if (paths.isEmpty()) {
            return new AskedTree(number, 0, Optional.empty());
        }
        var tree = new TreePlan.RankPaths(paths);
        return new AskedTree(number, tree.maxDepth(), Optional.of(tree));
    }

    /// Of all nodes.
    List<List<Integer>> paths() {
        return tree.map(TreePlan.RankPaths::paths).orElse(List.of());
    }

    /// Refuses the draft of a drafter that grows other trees than it is asked for.
    void requireGrown(TokenTree drafted) {
        if (tree.isEmpty()) {
            return;
        }
        var asked = new HashSet<>(paths());
        for (var path : paths(drafted)) {
            if (!asked.contains(path)) {
                throw new OutriderException(
                        ErrorCode.CAPABILITY_MISSING,
                        "the drafter was asked for the tree %s and drafted the node %s, which is not in it"
                                .formatted(paths(), path),
                        "Choose a tree that is laid out beforehand (widths, paths, a file, draws with or without replacement) for one of"
                                + " the drafters that can have one, or another draftLength.");
            }
        }
    }

    /// Rank paths of the nodes that may be accepted, elder siblings first.
    static List<List<Integer>> paths(TokenTree tree) {
        List<List<Integer>> paths = new ArrayList<>();
        below(tree, 0, List.of(), paths);
        return paths;
    }

    private static void below(
            TokenTree tree, int node, List<Integer> path, List<List<Integer>> paths) {
        int[] children = tree.candidates(node);
        for (int rank = 0; rank < children.length; rank++) {
            var child = new ArrayList<>(path);
            child.add(rank);
            paths.add(List.copyOf(child));
            below(tree, children[rank], child, paths);
        }
    }
}
