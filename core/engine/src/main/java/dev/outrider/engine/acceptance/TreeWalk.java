package dev.outrider.engine.acceptance;

import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
import java.util.function.IntUnaryOperator;

/// Walks a tree from the root along the tokens the target chooses.
final class TreeWalk {
    private static final int NONE = -1;

    private TreeWalk() {}

    /// Follows `choice` as long as a child carries the chosen token.
    ///
    /// @param choice the target's token after a node; asked once for each node on the path
    static Verdict follow(TokenTree tree, IntUnaryOperator choice) {
        var accepted = new ArrayList<Integer>(tree.maxDepth());
        int node = 0;
        while (true) {
            int token = choice.applyAsInt(node);
            int child = childWith(tree, node, token);
            if (child == NONE) {
                var origin = hasCandidates(tree, node) ? Origin.CORRECTION : Origin.BONUS;
                return new Verdict(accepted, token, origin);
            }
            accepted.add(child);
            node = child;
        }
    }

    /// Whether a node has a child that may be accepted.
    static boolean hasCandidates(TokenTree tree, int node) {
        for (int index = 0; index < tree.childCount(node); index++) {
            if (tree.verified(tree.child(node, index))) {
                return true;
            }
        }
        return false;
    }

    private static int childWith(TokenTree tree, int node, int token) {
        for (int index = 0; index < tree.childCount(node); index++) {
            int child = tree.child(node, index);
            if (tree.verified(child) && tree.token(child) == token) {
                return child;
            }
        }
        return NONE;
    }
}
