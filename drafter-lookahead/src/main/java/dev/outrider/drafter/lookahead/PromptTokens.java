package dev.outrider.drafter.lookahead;

import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;

/// Tokens copied at random from the prompt, or from the source if there is one: guesses for
/// positions without information. End-of-sequence tokens are left out if there are others. Confined
/// to one thread.
final class PromptTokens {
    private final int[] tokens;
    private final Set<Integer> endOfSequence;
    private final SplittableRandom random;

    /// @param source input of the target's encoder; may be empty
    /// @param prompt at least one token
    PromptTokens(int[] source, int[] prompt, Set<Integer> endOfSequence, long seed) {
        int[] text = source.length > 0 ? source : prompt;
        int[] others =
                Arrays.stream(text).filter(token -> !endOfSequence.contains(token)).toArray();
        this.tokens = others.length > 0 ? others : text.clone();
        this.endOfSequence = endOfSequence;
        this.random = new SplittableRandom(seed);
    }

    int next() {
        return tokens[random.nextInt(tokens.length)];
    }

    int[] next(int count) {
        var drawn = new int[count];
        for (int index = 0; index < count; index++) {
            drawn[index] = next();
        }
        return drawn;
    }

    /// Returns the tokens with every end of sequence replaced, because nothing useful can be
    /// guessed after one.
    int[] withoutEnds(int[] guessed) {
        var kept = guessed.clone();
        for (int index = 0; index < kept.length; index++) {
            kept[index] = endOfSequence.contains(kept[index]) ? next() : kept[index];
        }
        return kept;
    }
}
