package dev.outrider.drafter.smallmodel;

import dev.outrider.spi.TokenHistory;
import java.util.Arrays;

/// The committed tokens of one sequence, the root last. Confined to one thread.
final class CommittedTokens {
    private int[] tokens = new int[64];
    private int length;

    void append(int... more) {
        if (length + more.length > tokens.length) {
            tokens = Arrays.copyOf(tokens, Math.max(2 * tokens.length, length + more.length));
        }
        System.arraycopy(more, 0, tokens, length, more.length);
        length += more.length;
    }

    int length() {
        return length;
    }

    int[] range(int from, int to) {
        return Arrays.copyOfRange(tokens, from, to);
    }

    /// A view that is valid until the next token.
    TokenHistory history() {
        return new TokenHistory(tokens, length, new int[0]);
    }
}
