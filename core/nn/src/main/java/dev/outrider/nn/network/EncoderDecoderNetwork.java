package dev.outrider.nn.network;

/// A decoder that also attends to a source, which an encoder reads once for each sequence.
///
/// @see "Vaswani et al. 2017, section 3.1"
public interface EncoderDecoderNetwork extends DecoderNetwork {
    /// Returns a cache of a sequence with a source. The encoder reads the source in this call; the keys and values of its states
    /// for every layer of the decoder are computed in this call, and stay with the cache.
    ///
    /// @param rows   number of tokens
    /// @param source token ids, at least one
    /// @throws IllegalArgumentException if a token is out of range, or the source is longer than the encoder's positions
    KvCache newCache(int rows, int[] source);

    /// Not supported by such a network.
    ///
    /// @throws IllegalStateException always: a sequence has a source
    @Override
    default KvCache newCache(int rows) {
        throw new IllegalStateException("a sequence of an encoder-decoder needs a source");
    }
}
