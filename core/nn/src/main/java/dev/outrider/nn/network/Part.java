package dev.outrider.nn.network;

/// The part that a stack of layers has in its model.
public enum Part {
    /// A decoder alone: a row sees earlier rows.
    DECODER,
    /// The encoder of an encoder-decoder: rows see one another; it uses the decoder's embedding and has no head.
    ENCODER,
    /// The decoder of an encoder-decoder: after its attention to itself, every layer attends to the encoder's last states.
    CROSS_DECODER
}
