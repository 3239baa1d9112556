package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.CommittedTokens;

/// Whether a draft model can read a sequence: whether it has all of its tokens. Looks at each once. Confined to one thread.
final class KnownTokens {
    private final int tokenIds;
    private int read;

    /// @param tokenIds number of token ids that the draft model can read
    KnownTokens(int tokenIds) {
        this.tokenIds = tokenIds;
    }

    /// Whether it has them all.
    ///
    /// @param tokens those of the call before, and perhaps more
    boolean all(CommittedTokens tokens) {
        while (read < tokens.length() && tokens.token(read) < tokenIds) {
            read++;
        }
        return read == tokens.length();
    }
}
