package dev.outrider.drafter.block;

import java.util.Arrays;

/// A block's slots: the last committed token, the *anchor*, then masks.
///
/// @param size       slots
/// @param mask       token that stands for what is to be guessed
/// @param fromAnchor whether slot k guesses the token k + 1 places after the anchor; otherwise the one k places after it, and slot 0
///                   guesses nothing
record Slots(int size, int mask, boolean fromAnchor) {
    /// The first slot that guesses.
    int first() {
        return fromAnchor ? 0 : 1;
    }

    /// Tokens that a block guesses.
    int guesses() {
        return size - first();
    }

    /// The block after a token.
    int[] tokens(int anchor) {
        var tokens = new int[size];
        Arrays.fill(tokens, mask);
        tokens[0] = anchor;
        return tokens;
    }
}
