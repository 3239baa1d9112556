package dev.outrider.engine.decode;

import dev.outrider.common.Require;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.List;

/// A request for a text.
///
/// @param prompt              token ids, special ones included; not changed, not kept
/// @param maxTokens           most tokens to emit; at least 1
/// @param policy              how tokens are chosen
/// @param stop                texts that end the sequence; they are not part of its text
/// @param ignoreEndOfSequence whether to go on after an end-of-sequence token, as benchmarks of fixed length do
/// @param source              token ids that the target's encoder reads, special ones included; empty for a target that has none
/// @param continues           whether the text goes on after the prompt's, with the space between them; else it is a text of its own, as
///                            [Tokenizer#decode][dev.outrider.spi.target.Tokenizer#decode] writes one
public record DecodeRequest(
        int[] prompt,
        int maxTokens,
        SamplingPolicy policy,
        List<String> stop,
        boolean ignoreEndOfSequence,
        List<Integer> source,
        boolean continues) {
    public DecodeRequest {
        stop = List.copyOf(stop);
        source = List.copyOf(source);
        Require.that(maxTokens >= 1, "maxTokens %d is not positive", maxTokens);
        Require.that(!stop.contains(""), "a stop string must not be empty");
    }

    /// A request for a text of its own.
    public DecodeRequest(
            int[] prompt,
            int maxTokens,
            SamplingPolicy policy,
            List<String> stop,
            boolean ignoreEndOfSequence,
            List<Integer> source) {
        this(prompt, maxTokens, policy, stop, ignoreEndOfSequence, source, false);
    }

    /// A request without a source.
    public DecodeRequest(
            int[] prompt,
            int maxTokens,
            SamplingPolicy policy,
            List<String> stop,
            boolean ignoreEndOfSequence) {
        this(prompt, maxTokens, policy, stop, ignoreEndOfSequence, List.of());
    }

    /// The same request for an encoder-decoder.
    public DecodeRequest withSource(List<Integer> read) {
        return new DecodeRequest(
                prompt, maxTokens, policy, stop, ignoreEndOfSequence, read, continues);
    }

    /// A request without stop strings, which ends at an end-of-sequence token.
    public static DecodeRequest of(int[] prompt, int maxTokens, SamplingPolicy policy) {
        return new DecodeRequest(prompt, maxTokens, policy, List.of(), false);
    }
}
