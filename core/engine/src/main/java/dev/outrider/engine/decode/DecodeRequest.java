package dev.outrider.engine.decode;

import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.List;

/// What to generate.
///
/// @param prompt              token ids, special ones included; not changed, not kept
/// @param maxTokens           most tokens to emit; at least 1
/// @param policy              how tokens are chosen
/// @param stop                texts that end the sequence; they are not part of its text
/// @param ignoreEndOfSequence whether to go on after an end-of-sequence token, as benchmarks of fixed length do
public record DecodeRequest(
        int[] prompt,
        int maxTokens,
        SamplingPolicy policy,
        List<String> stop,
        boolean ignoreEndOfSequence) {
    public DecodeRequest {
        stop = List.copyOf(stop);
        if (maxTokens < 1) {
            throw new IllegalArgumentException("maxTokens %d is not positive".formatted(maxTokens));
        }
        if (stop.contains("")) {
            throw new IllegalArgumentException("a stop string must not be empty");
        }
    }

    /// A request without stop strings, which ends at an end-of-sequence token.
    public static DecodeRequest of(int[] prompt, int maxTokens, SamplingPolicy policy) {
        return new DecodeRequest(prompt, maxTokens, policy, List.of(), false);
    }
}
