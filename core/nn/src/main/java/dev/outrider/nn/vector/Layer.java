package dev.outrider.nn.vector;

import dev.outrider.nn.vector.Matrix.Linear;
import java.util.Optional;

/// The weights of a layer.
///
/// @param inputNorm       before attention, or after; a draft layer may have none
/// @param streamNorm      of the stream's half of a wide input
/// @param queryKeyValue   the three projections as one
/// @param queryNorm       per head
/// @param keyNorm         per head
/// @param sinks           scores of heads that take part in the softmax of attention
/// @param output          of attention
/// @param outputNorm      of attention's result
/// @param cross           attention to a source
/// @param feedForwardNorm before the feed-forward layer, or after
/// @param feedForward     the feed-forward layer, if there are no experts
/// @param mixture         the experts, if there are any
/// @param downNorm        of the feed-forward layer's result
record Layer(
        Optional<Norm> inputNorm,
        Optional<Norm> streamNorm,
        Linear queryKeyValue,
        Optional<float[]> queryNorm,
        Optional<float[]> keyNorm,
        Optional<float[]> sinks,
        Linear output,
        Optional<Norm> outputNorm,
        Optional<CrossLayer> cross,
        Optional<Norm> feedForwardNorm,
        Optional<FeedForward> feedForward,
        Optional<Mixture> mixture,
        Optional<Norm> downNorm) {

    /// The weights of a layer's attention to the source.
    ///
    /// @param norm     before or after the attention
    /// @param query    of the rows
    /// @param keyValue of the encoder's states, both projections as one
    /// @param output   back to the stream
    record CrossLayer(Norm norm, Linear query, Linear keyValue, Linear output) {}
}
