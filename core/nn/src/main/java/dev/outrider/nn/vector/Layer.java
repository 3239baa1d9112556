package dev.outrider.nn.vector;

import java.util.Optional;

/// The weights of a decoder layer.
///
/// @param inputNorm       before attention; a draft layer may have none
/// @param streamNorm      of the stream's half of a wide input
/// @param queryKeyValue   the three projections as one
/// @param queryNorm       per head
/// @param keyNorm         per head
/// @param output          of attention
/// @param feedForwardNorm before the feed-forward layer
/// @param gateUp          both projections as one
/// @param down            back to the stream
record Layer(
        Optional<float[]> inputNorm,
        Optional<float[]> streamNorm,
        Linear queryKeyValue,
        Optional<float[]> queryNorm,
        Optional<float[]> keyNorm,
        Linear output,
        float[] feedForwardNorm,
        Linear gateUp,
        Linear down) {}
