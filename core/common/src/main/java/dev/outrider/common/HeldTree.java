package dev.outrider.common;

import dev.outrider.spi.tree.TokenTree;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The nodes that a [ForestSession][dev.outrider.spi.target.ForestSession] holds of a tree that grows, for implementations of it. Confined to one thread.
public final class HeldTree {
    private Optional<TokenTree> held = Optional.empty();
    private Optional<TokenTree> grown = Optional.empty();

    /// Holds nothing.
    public HeldTree() {}

    /// Checks a tree that is about to be scored.
    ///
    /// @param tree the tree
    /// @return the number of its nodes, from the first, that are held
    /// @throws IllegalArgumentException if it does not begin with them, or has no others
    public int check(TokenTree tree) {
        int nodes = held.map(TokenTree::size).orElse(0);
        if (held.isPresent() && !tree.startsWith(held.get())) {
            throw new IllegalArgumentException(
                    "the tree does not begin with the %d nodes that are held".formatted(nodes));
        }
        if (nodes == tree.size()) {
            throw new IllegalArgumentException(
                    "all %d nodes of the tree are held, expected a new one".formatted(nodes));
        }
        return nodes;
    }

    /// Records a tree that is being scored.
    ///
    /// @param tree the tree
    public void grow(TokenTree tree) {
        grown = Optional.of(tree);
    }

    /// Holds some nodes of the tree that was grown.
    ///
    /// @param nodes the new root and nodes below it, ascending
    /// @return the nodes whose rows stay: those from the old root to the new one, then the others
    /// @throws IllegalStateException    if no tree was grown since the last call
    /// @throws IllegalArgumentException if the nodes are not a tree
    public Rows hold(List<Integer> nodes) {
        var tree =
                grown.orElseThrow(
                        () -> new IllegalStateException("no tree was grown since the last commit"));
        held = Optional.of(tree.part(nodes));
        grown = Optional.empty();
        return Rows.of(tree, nodes);
    }

    /// Forgets everything.
    public void clear() {
        held = Optional.empty();
        grown = Optional.empty();
    }

    /// Rows of a pass that stay.
    ///
    /// @param nodes     their nodes, ascending
    /// @param committed number of them, from the first, that are committed
    public record Rows(List<Integer> nodes, int committed) {
        /// Copies the nodes.
        public Rows {
            nodes = List.copyOf(nodes);
        }

        private static Rows of(TokenTree tree, List<Integer> held) {
            var above = Arrays.stream(tree.path(held.getFirst())).boxed();
            var below = held.stream().skip(1);
            return new Rows(Stream.concat(above, below).toList(), tree.depth(held.getFirst()));
        }
    }
}
