package dev.outrider.engine.visit;

import dev.outrider.spi.tree.TokenTree;
import java.util.BitSet;

/// A text with the rejected guesses that a drafter drew further guesses below.
///
/// @param tree    root is the first token; the text is a path, guesses hang where they were made. Parents come before their children
///                and nodes of earlier rounds before those of later ones, so the first n nodes are what was visited up to some round
/// @param visited nodes below which a guess was drawn: the prefixes, each from the root to such a node, that the drafter was asked about
public record VisitedText(TokenTree tree, BitSet visited) {
    /// Keeps a copy of the set.
    public VisitedText {
        visited = (BitSet) visited.clone();
    }

    /// A copy that the caller owns.
    @Override
    public BitSet visited() {
        return (BitSet) visited.clone();
    }
}
