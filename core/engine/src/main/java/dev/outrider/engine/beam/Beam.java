package dev.outrider.engine.beam;

import java.util.Arrays;
import java.util.Optional;

/// A text that a search follows: the prompt and the tokens after it. Immutable; equal to itself alone.
public final class Beam {
    private final Optional<Beam> before;
    private final int token;
    private final int length;
    private final double score;

    private Beam(Optional<Beam> before, int token, int length, double score) {
        this.before = before;
        this.token = token;
        this.length = length;
        this.score = score;
    }

    /// The prompt alone.
    ///
    /// @param lastToken of the prompt
    static Beam ofPrompt(int lastToken) {
        return new Beam(Optional.empty(), lastToken, 0, 0);
    }

    /// This text and one more token.
    ///
    /// @param score its [#score]
    Beam followedBy(int next, double score) {
        return new Beam(Optional.of(this), next, length + 1, score);
    }

    /// The text without its last token; empty for the prompt.
    public Optional<Beam> before() {
        return before;
    }

    /// The last token.
    public int token() {
        return token;
    }

    /// Number of tokens after the prompt.
    public int length() {
        return length;
    }

    /// Sum of the log probabilities of the tokens after the prompt, added up from the first.
    public double score() {
        return score;
    }

    /// The tokens after the prompt. The caller owns the array.
    public int[] tokens() {
        var tokens = new int[length];
        var walker = this;
        for (int index = length; index > 0; index--) {
            tokens[index - 1] = walker.token;
            walker = walker.before.orElseThrow();
        }
        return tokens;
    }

    /// The whole text. The caller owns the array.
    ///
    /// @param prompt of the search; not changed
    int[] text(int[] prompt) {
        int[] text = Arrays.copyOf(prompt, prompt.length + length);
        System.arraycopy(tokens(), 0, text, prompt.length, length);
        return text;
    }
}
