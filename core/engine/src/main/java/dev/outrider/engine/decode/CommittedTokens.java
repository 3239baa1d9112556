package dev.outrider.engine.decode;

import dev.outrider.spi.sampling.TokenHistory;
import java.util.Arrays;

/// The prompt and what was emitted after it. Confined to one thread.
final class CommittedTokens {
    private final int promptLength;
    private final int[] tokens;
    private int length;

    /// @param most tokens there is room for, the prompt included
    CommittedTokens(int[] prompt, int most) {
        this.promptLength = prompt.length;
        this.tokens = Arrays.copyOf(prompt, most);
        this.length = prompt.length;
    }

    void add(int token) {
        tokens[length++] = token;
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
