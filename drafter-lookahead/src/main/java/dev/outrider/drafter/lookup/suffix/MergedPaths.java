package dev.outrider.drafter.lookup.suffix;

import dev.outrider.spi.tree.TokenTree;

/// A tree made of paths from the root; what several paths begin with is there once. Confined to one thread.
final class MergedPaths {
    private final TokenTree.Builder tree;
    private final int[] tokens;
    private final int[] parents;

    /// @param maxNodes most nodes below the root
    MergedPaths(int rootToken, int maxNodes) {
        this.tree = TokenTree.builder(rootToken);
        this.tokens = new int[maxNodes + 1];
        this.parents = new int[maxNodes + 1];
    }

    /// Adds a path as far as there is room; whether any node of it is new.
    boolean add(int[] path) {
        int before = tree.size();
        int node = 0;
        for (int token : path) {
            int child = tree.size() > before ? 0 : child(node, token);
            if (child == 0) {
                if (tree.size() == tokens.length) {
                    break;
                }
                child = tree.add(node, token);
                tokens[child] = token;
                parents[child] = node;
            }
            node = child;
        }
        return tree.size() > before;
    }

    TokenTree tree() {
        return tree.build();
    }

    /// The child of `node` with a token; 0, which is nobody's child, if there is none.
    private int child(int node, int token) {
        for (int child = node + 1; child < tree.size(); child++) {
            if (parents[child] == node && tokens[child] == token) {
                return child;
            }
        }
        return 0;
    }
}
