package dev.outrider.training;

import dev.outrider.common.Require;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.Arrays;
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

    /// Keeps what the rounds of one sequence visit. In a round that is the last committed token and every guess that got guesses of its own;
    /// leaves were drawn, but nothing was drawn below them. Guesses that were neither accepted nor visited are left out. Confined to
    /// the sequence's thread.
    ///
    /// @see "Liu et al. 2024 (Online Speculative Decoding), algorithm 1: proposals beside the target's distributions"
    public static final class VisitedPrefixes {
        private final TokenTree.Builder builder;
        private final BitSet visited = new BitSet();
        private int last;

        /// @param prompt at least one token
        public VisitedPrefixes(int... prompt) {
            builder = TokenTree.builder(prompt[0]);
            for (int token : Arrays.copyOfRange(prompt, 1, prompt.length)) {
                last = builder.add(last, token);
            }
        }

        /// Whether something was drawn below a node of [#text].
        public boolean visited(int node) {
            return visited.get(node);
        }

        /// What was visited so far: the text is a path, guesses hang where they were made. Nodes of earlier rounds stand before those of later
        /// ones, so the first n are what was visited up to some round.
        public VisitedText text() {
            return new VisitedText(builder.build(), visited);
        }

        /// Adds a round.
        ///
        /// @return by node of the draft, which node of [#text] it has become; -1 of those that were left out
        public int[] add(Draft draft, Verdict verdict) {
            var tree = draft.tree();
            var places = new int[tree.size()];
            Arrays.fill(places, -1);
            places[0] = last;
            for (int node = 0; node < tree.size(); node++) {
                boolean drawnBelow = tree.candidates(node).length > 0;
                if (node > 0 && (drawnBelow || verdict.acceptedNodes().contains(node))) {
                    places[node] = builder.add(places[tree.parent(node)], tree.token(node));
                }
                if (drawnBelow) {
                    visited.set(places[node]);
                }
            }
            last = builder.add(places[verdict.lastNode()], verdict.nextToken());
            return places;
        }
    }
}
