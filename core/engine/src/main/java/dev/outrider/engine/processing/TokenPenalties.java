package dev.outrider.engine.processing;

import dev.outrider.common.Require;
import dev.outrider.common.sampling.SamplingOperators;
import dev.outrider.engine.processing.ProcessorChain.Named;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.TreeMap;

/// Processors that requests ask for, exact at every node of a draft.
public final class TokenPenalties {
    private TokenPenalties() {}

    /// Adds to the logits of tokens.
    ///
    /// @param bias number to add, by token id, which must be in the target's vocabulary; minus infinity makes a token impossible
    /// @throws IllegalArgumentException for a negative id, not a number, or plus infinity
    public static Named bias(Map<Integer, Float> bias) {
        var added = new TreeMap<>(bias);
        added.forEach((token, value) -> {
            Require.that(
                    token >= 0 && value < Float.POSITIVE_INFINITY,
                    "a bias of %s for token %d, expected a finite number or minus infinity, and an id of 0 or more",
                    value,
                    token);
        });
        return new Named(
                "bias", (logits, _) -> added.forEach((token, value) -> add(logits, token, value)));
    }

    /// Subtracts from the logit of every token that was written: `presence` once, and `frequency` for each time. Tokens of the prompt do
    /// not count.
    ///
    /// @throws IllegalArgumentException if a penalty is not a finite number
    public static Named penalties(double presence, double frequency) {
        Require.that(
                Double.isFinite(presence) && Double.isFinite(frequency),
                "penalties %s and %s, expected finite numbers",
                presence,
                frequency);
        return new Named(
                "penalties",
                (logits, history) ->
                        SamplingOperators.penalise(
                                history,
                                presence,
                                frequency,
                                (token, loss) -> add(logits, token, (float) -loss)));
    }

    private static void add(MemorySegment logits, int token, float value) {
        long at = (long) token * Float.BYTES;
        float logit = logits.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
        logits.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, logit + value);
    }
}
