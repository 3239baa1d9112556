package dev.outrider.nn.architecture;

import dev.outrider.nn.network.DecoderConfig;
import java.util.List;

/// The encoder in the configuration of an encoder-decoder.
///
/// @param stack the architecture
/// @param start token ids at the beginning of the decoder's prompt
public record EncoderConfig(DecoderConfig stack, List<Integer> start) {
    public EncoderConfig {
        start = List.copyOf(start);
    }

    /// Returns the same encoder for sources of at most `limit` tokens.
    public EncoderConfig limitedTo(int limit) {
        return new EncoderConfig(stack.limitedTo(limit), start);
    }
}
