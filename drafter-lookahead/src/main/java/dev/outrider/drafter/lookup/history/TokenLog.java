package dev.outrider.drafter.lookup.history;

import dev.outrider.spi.TokenHistory;
import java.util.Arrays;

/// Committed tokens of one sequence, oldest first. Confined to one thread.
public final class TokenLog {
    private int[] tokens = new int[64];
    private int length;

    /// Adds a token at the end.
    public void append(int token) {
        if (length == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * length);
        }
        tokens[length++] = token;
    }

    /// Number of tokens.
    public int length() {
        return length;
    }

    /// The token at an index; `0 <= index < length()`.
    public int token(int index) {
        return tokens[index];
    }

    /// The last token; there must be one.
    public int last() {
        return tokens[length - 1];
    }

    /// Copies `tokens[from, to)`. The caller owns the array.
    public int[] range(int from, int to) {
        return Arrays.copyOfRange(tokens, from, to);
    }

    /// A view for processors that read the history, valid until the next token.
    public TokenHistory history() {
        return new TokenHistory(tokens, length, new int[0]);
    }

    /// Memory held, in bytes.
    public long bytes() {
        return (long) Integer.BYTES * tokens.length;
    }
}
