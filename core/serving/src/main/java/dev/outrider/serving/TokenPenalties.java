package dev.outrider.serving;

import dev.outrider.engine.processing.ProcessorChain.Named;
import java.util.Map;

/// Processors that requests ask for, exact at every node of a draft.
public final class TokenPenalties {
    private TokenPenalties() {}

    /// Adds to the logits of tokens.
    ///
    /// @param bias number to add, by token id; minus infinity makes a token impossible
    public static Named bias(Map<Integer, Float> bias) {
        throw new UnsupportedOperationException();
    }

    /// Subtracts from the logit of every token that was written: `presence` once, and `frequency` for each time.
    /// Tokens of the prompt do not count.
    ///
    /// @param promptTokens length of the prompt
    public static Named penalties(int promptTokens, double presence, double frequency) {
        throw new UnsupportedOperationException();
    }
}
