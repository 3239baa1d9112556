package dev.outrider.nn.network;

/// A decoder that also attends to a source, which an encoder reads once a sequence.
///
/// @see "Vaswani et al. 2017, section 3.1"
public interface EncoderDecoderNetwork extends DecoderNetwork {
    /// A cache of a sequence with a source. The encoder reads the source now; keys and values that its states give every layer of the
    /// decoder are computed now, and stay with the cache.
    ///
    /// @param rows   tokens there is room for
    /// @param source token ids, at least one
    /// @throws IllegalArgumentException if a token is out of range, or the source is longer than the encoder's positions
    KvCache newCache(int rows, int[] source);

    /// Not for such a network.
    ///
    /// @throws IllegalStateException always: a sequence has a source
    @Override
    default KvCache newCache(int rows) {
        throw new IllegalStateException("a sequence of an encoder-decoder needs a source");
    }
}
