package dev.outrider.nn.target;

import dev.outrider.nn.network.PassRow;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Nodes that ran through a target's first layers, and the rows that a tree to be scored shares with them.
///
/// @param tree  the nodes; node i is scratch row i of the cache
/// @param layer number of layers that they ran through
/// @param rows  a row of a pass for each node
record GrownTree(TokenTree tree, int layer, List<PassRow> rows) {
    GrownTree {
        rows = List.copyOf(rows);
    }

    /// The mapping of a tree to the grown nodes. Nodes with the same tokens from the root on share one row, because the target's
    /// scores of them are equal.
    ///
    /// @param kept grown nodes that are nodes of the tree too, ascending; empty if the roots differ
    /// @param rows  the tree's rows: first the kept ones, then the others in their order
    /// @param row   for each node of the tree, its row
    record Overlay(List<Integer> kept, TokenTree rows, int[] row) {}

    Overlay under(TokenTree wanted) {
        int[] grown = placesOf(wanted);
        var kept =
                Arrays.stream(grown).filter(node -> node >= 0).distinct().sorted().boxed().toList();
        if (kept.isEmpty()) {
            return new Overlay(kept, wanted, IntStream.range(0, wanted.size()).toArray());
        }
        var place = new int[tree.size()];
        var rows = TokenTree.builder(wanted.token(0));
        for (int node : kept.subList(1, kept.size())) {
            place[node] = rows.add(place[tree.parent(node)], tree.token(node));
        }
        var row = new int[wanted.size()];
        for (int node = 1; node < row.length; node++) {
            row[node] =
                    grown[node] >= 0
                            ? place[grown[node]]
                            : rows.add(row[wanted.parent(node)], wanted.token(node));
        }
        return new Overlay(kept, rows.build(), row);
    }

    /// Returns the states of some of the nodes, in order.
    List<PassRow> rowsOf(List<Integer> nodes) {
        var states = new ArrayList<PassRow>();
        nodes.forEach(node -> states.add(rows.get(node)));
        return states;
    }

    /// Returns for each node of a tree the grown node with the same tokens from the root on, or -1.
    private int[] placesOf(TokenTree wanted) {
        var grown = new int[wanted.size()];
        grown[0] = tree.token(0) == wanted.token(0) ? 0 : -1;
        for (int node = 1; node < grown.length; node++) {
            int parent = grown[wanted.parent(node)];
            grown[node] = parent < 0 ? -1 : child(parent, wanted.token(node));
        }
        return grown;
    }

    private int child(int parent, int token) {
        for (int index = 0; index < tree.childCount(parent); index++) {
            if (tree.token(tree.child(parent, index)) == token) {
                return tree.child(parent, index);
            }
        }
        return -1;
    }
}
