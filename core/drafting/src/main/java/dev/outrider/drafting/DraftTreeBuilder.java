package dev.outrider.drafting;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.tree.TokenTree;
import java.util.Arrays;

/// A tree under construction: tokens, parents, depths and network rows. Node 0 is the root.
final class DraftTreeBuilder {
    private static final int NOT_RUN = -1;

    private int[] tokens = new int[16];
    private int[] parents = new int[16];
    private int[] depths = new int[16];
    private int[] rows = new int[16];
    private int size;

    DraftTreeBuilder(int rootToken) {
        append(-1, rootToken, 0);
    }

    /// Adds a node and returns its index.
    int add(int parent, int token) {
        return append(parent, token, depths[parent] + 1);
    }

    int size() {
        return size;
    }

    /// Returns the number of nodes below the root.
    int drafted() {
        return size - 1;
    }

    int token(int node) {
        return tokens[node];
    }

    int parent(int node) {
        return parents[node];
    }

    int depth(int node) {
        return depths[node];
    }

    int row(int node) {
        return rows[node];
    }

    void ranIn(int node, int row) {
        rows[node] = row;
    }

    /// The tokens before the successors of `node`.
    TokenHistory history(TokenHistory committed, int node) {
        var path = new int[depths[node]];
        for (int walker = node, index = path.length - 1; index >= 0; index--) {
            path[index] = tokens[walker];
            walker = parents[walker];
        }
        return committed.followedBy(path);
    }

    /// The nodes as a draft.
    DraftWithRows finish(Selection selection) {
        var tree = TokenTree.builder(tokens[0]);
        for (int node = 1; node < size; node++) {
            tree.add(parents[node], tokens[node]);
        }
        return new DraftWithRows(new Draft(tree.build(), selection), Arrays.copyOf(rows, size));
    }

    private int append(int parent, int token, int depth) {
        if (size == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * size);
            parents = Arrays.copyOf(parents, 2 * size);
            depths = Arrays.copyOf(depths, 2 * size);
            rows = Arrays.copyOf(rows, 2 * size);
        }
        tokens[size] = token;
        parents[size] = parent;
        depths[size] = depth;
        rows[size] = NOT_RUN;
        return size++;
    }
}
