package dev.outrider.drafter.lookup;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.tree.TokenTree;

/// Guesses the continuation of a sequence from the sequence alone: the same tokens give the same
/// guesses, whatever was guessed or rejected before. Confined to one thread.
public interface HistoryIndex {
    /// Adds a committed token. Amortised time does not grow with the length of the sequence.
    void append(int token);

    /// Returns guesses after the last token.
    ///
    /// @param budget limits of the tree
    /// @return a tree whose root is the last token; the root alone if there is no guess
    TokenTree guess(DraftBudget budget);

    /// Returns the memory in bytes, without object headers.
    long bytes();
}
