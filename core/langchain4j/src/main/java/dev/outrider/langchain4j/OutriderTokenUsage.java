package dev.outrider.langchain4j;

import dev.langchain4j.model.output.TokenUsage;

/// Tokens of an answer, with the guesses among them.
public final class OutriderTokenUsage extends TokenUsage {
    private final long accepted;

    OutriderTokenUsage(int input, int output, long accepted) {
        super(input, output);
        this.accepted = accepted;
    }

    /// Returns how many of the tokens were guessed.
    public long acceptedTokenCount() {
        return accepted;
    }

    /// Returns the sum; usage of another model counts without guesses.
    @Override
    public TokenUsage add(TokenUsage other) {
        var sum = super.add(new TokenUsage(other.inputTokenCount(), other.outputTokenCount()));
        long guessed = accepted + (other instanceof OutriderTokenUsage ours ? ours.accepted : 0);
        return new OutriderTokenUsage(sum.inputTokenCount(), sum.outputTokenCount(), guessed);
    }
}
