package dev.outrider.drafter.union;

import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.List;

/// A tree that several trees with the same root grow into: a guess that is there already is not added again. Confined to one thread.
final class MergedTree {
    private final TokenTree.Builder builder;

    MergedTree(int rootToken) {
        this.builder = TokenTree.builder(rootToken);
    }

    /// Adds a tree.
    ///
    /// @return where its nodes are, by their numbers in it
    List<Integer> add(TokenTree tree) {
        List<Integer> places = new ArrayList<>(List.of(0));
        for (int node = 1; node < tree.size(); node++) {
            int parent = places.get(tree.parent(node));
            places.add(
                    tree.verified(node)
                            ? builder.addDistinct(parent, tree.token(node))
                            : builder.addUnverified(parent, tree.token(node)));
        }
        return List.copyOf(places);
    }

    /// Number of nodes below the root.
    int draftedNodes() {
        return builder.size() - 1;
    }

    TokenTree tree() {
        return builder.build();
    }
}
