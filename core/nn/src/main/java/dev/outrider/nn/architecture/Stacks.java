package dev.outrider.nn.architecture;

import dev.outrider.nn.network.DecoderConfig;
import java.util.Optional;

/// The stacks of a model.
///
/// @param decoder what writes
/// @param encoder what reads, in an encoder-decoder
record Stacks(DecoderConfig decoder, Optional<EncoderConfig> encoder) {}
