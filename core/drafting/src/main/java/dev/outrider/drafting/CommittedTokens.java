package dev.outrider.drafting;

import dev.outrider.spi.sampling.TokenHistory;
import java.util.Arrays;

/// The committed tokens of one sequence, the root last. Confined to one thread.
public final class CommittedTokens {
    private int[] tokens = new int[64];
    private int length;
    private int prompt;

    /// Adds tokens; the last one is the root. The first ones are the prompt.
    public void append(int... more) {
        if (length + more.length > tokens.length) {
            tokens = Arrays.copyOf(tokens, Math.max(2 * tokens.length, length + more.length));
        }
        System.arraycopy(more, 0, tokens, length, more.length);
        prompt = length == 0 ? more.length : prompt;
        length += more.length;
    }

    /// Number of tokens.
    public int length() {
        return length;
    }

    /// The token at an index; `0 <= index < length()`.
    public int token(int index) {
        return tokens[index];
    }

    /// The last token. There must be one.
    public int root() {
        return tokens[length - 1];
    }

    /// The tokens at `from`, …, `to - 1`. The caller owns the array.
    public int[] range(int from, int to) {
        return Arrays.copyOfRange(tokens, from, to);
    }

    /// A view that is valid until the next token.
    public TokenHistory history() {
        return new TokenHistory(tokens, length, new int[0], prompt);
    }
}
