package dev.outrider.drafter.lookup;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.tree.TokenTree;

/// Guesses what follows a sequence from the sequence alone: the same tokens give the same guesses, whatever was guessed
/// or rejected on the way. Confined to one thread.
public interface HistoryIndex {
    /// Adds a committed token. Amortised time does not grow with the length of the sequence.
    void append(int token);

    /// Guesses what follows the last token.
    ///
    /// @param budget limits; the tree stays within them
    /// @return a tree whose root is the last token; the root alone where nothing is known
    TokenTree guess(DraftBudget budget);

    /// Memory held, in bytes, object headers left out.
    long bytes();
}
