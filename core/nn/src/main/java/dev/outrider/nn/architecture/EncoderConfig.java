package dev.outrider.nn.architecture;

import dev.outrider.nn.network.DecoderConfig;
import java.util.List;

/// What the configuration of an encoder-decoder says of its encoder.
///
/// @param stack the architecture
/// @param start token ids that the decoder's prompt begins with
public record EncoderConfig(DecoderConfig stack, List<Integer> start) {
    public EncoderConfig {
        start = List.copyOf(start);
    }

    /// The same encoder for sources of at most `limit` tokens.
    public EncoderConfig limitedTo(int limit) {
        return new EncoderConfig(stack.limitedTo(limit), start);
    }
}
