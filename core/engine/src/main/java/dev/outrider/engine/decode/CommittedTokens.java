package dev.outrider.engine.decode;

import dev.outrider.spi.sampling.TokenHistory;
import java.util.Arrays;

/// The prompt and what was emitted after it. Confined to one thread.
final class CommittedTokens {
    private final int promptLength;
    private int[] tokens;
    private int length;

    CommittedTokens(int[] prompt, int most) {
        this.promptLength = prompt.length;
        this.tokens = Arrays.copyOf(prompt, most);
        this.length = prompt.length;
    }

    void add(int token) {
        if (length == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * length);
        }
        tokens[length++] = token;
    }

    int last() {
        return tokens[length - 1];
    }

    int emittedCount() {
        return length - promptLength;
    }

    int[] emitted() {
        return Arrays.copyOfRange(tokens, promptLength, length);
    }

    TokenHistory history() {
        return new TokenHistory(tokens, length, new int[0]);
    }
}
