package dev.outrider.training;

import dev.outrider.common.Require;
import dev.outrider.spi.tree.TokenTree;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/// A text and the guesses that a drafter made at its positions, as one tree, with the nodes where the drafter drew.
///
/// @param tree    root is the first token, at position 0; parents come before their children
/// @param visited nodes whose successors the drafter drew, and learns
public record VisitedText(TokenTree tree, BitSet visited) {
    /// Keeps a copy of the set.
    public VisitedText {
        visited = (BitSet) visited.clone();
        Require.that(
                visited.length() <= tree.size(),
                "node %d is visited, but there are %d",
                visited.length() - 1,
                tree.size());
    }

    /// Nodes, visited or not.
    public int size() {
        return tree.size();
    }

    /// Its first nodes.
    public VisitedText first(int nodes) {
        if (nodes >= tree.size()) {
            return this;
        }
        return new VisitedText(
                tree.part(IntStream.range(0, nodes).boxed().toList()), visited.get(0, nodes));
    }

    /// A visited text with the logits of the target where the drafter drew.
    ///
    /// @param text   where it drew
    /// @param logits of the target's successors, one row `[V]` for each visited node, in the order of the nodes; natural-log scale, no processor
    ///               applied; not changed
    public record VerifiedText(VisitedText text, List<float[]> logits) {
        /// Copies the list, not the rows.
        public VerifiedText {
            logits = List.copyOf(logits);
            Require.that(
                    logits.size() == text.visited().cardinality(),
                    "%d rows of logits for %d visited nodes",
                    logits.size(),
                    text.visited().cardinality());
        }

        /// Its first nodes.
        public VerifiedText first(int nodes) {
            var part = text.first(nodes);
            return new VerifiedText(part, logits.subList(0, part.visited().cardinality()));
        }
    }
}
