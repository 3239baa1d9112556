package dev.outrider.nn.network;

/// An encoder whose states decoders attend to: its own model's, and those of drafters that were trained on them. Thread-safe.
public interface SourceEncoder {
    /// Width of a state.
    int hiddenSize();

    /// The states of a source.
    ///
    /// @param source token ids, at least one
    /// @return `[length, hiddenSize]`, not to be changed
    /// @throws IllegalArgumentException if a token is out of range, or the source is longer than the encoder's positions
    float[] encode(int[] source);
}
