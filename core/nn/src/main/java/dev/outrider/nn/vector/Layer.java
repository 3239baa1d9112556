package dev.outrider.nn.vector;

import dev.outrider.nn.vector.Matrix.Linear;
import java.util.Optional;

/// The weights of a layer.
///
/// @param inputNorm       norm before attention, or after it; a draft layer may have none
/// @param streamNorm      norm of the stream's half of a wide input
/// @param queryKeyValue   the three projections as one
/// @param queryNorm       norm of each query head
/// @param keyNorm         norm of each key head
/// @param sinks           attention sinks: a score for each head that is part of the softmax
/// @param output          output projection of attention
/// @param outputNorm      norm of attention's result
/// @param cross           attention to a source
/// @param feedForwardNorm norm before the feed-forward layer, or after it
/// @param feedForward     the feed-forward layer, if there are no experts
/// @param mixture         the experts, if there are any
/// @param downNorm        norm of the feed-forward layer's result
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
    /// @param norm     norm before or after the attention
    /// @param query    query projection of the rows
    /// @param keyValue key and value projections of the encoder's states, as one
    /// @param output   output projection
    record CrossLayer(Norm norm, Linear query, Linear keyValue, Linear output) {}
}
