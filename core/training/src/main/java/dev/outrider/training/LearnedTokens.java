package dev.outrider.training;

/// The tokens of a document, and which of them are learned.
///
/// @param ids     the tokens
/// @param learned for each, whether it is learned
public record LearnedTokens(int[] ids, boolean[] learned) {
    public LearnedTokens {
        if (ids.length != learned.length) {
            throw new IllegalArgumentException(
                    "%d tokens, of %d is said whether they are learned"
                            .formatted(ids.length, learned.length));
        }
    }

    int size() {
        return ids.length;
    }

    /// How many of the first tokens are learned.
    ///
    /// @param count of tokens looked at
    public int learned(int count) {
        int found = 0;
        for (int i = 0; i < Math.min(count, learned.length); i++) {
            found += learned[i] ? 1 : 0;
        }
        return found;
    }
}
