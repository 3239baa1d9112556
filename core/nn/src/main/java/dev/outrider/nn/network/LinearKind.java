package dev.outrider.nn.network;

import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.PrepackedLinear;

/// How a network multiplies by its matrices.
///
/// @param type          element type of weights, activations and caches
/// @param prepacked     whether the matrices of the layers are prepacked
/// @param headPrepacked whether the head is prepacked
record LinearKind(ElementType type, boolean prepacked, boolean headPrepacked) {
    /// What is fastest for a configuration on this machine.
    static LinearKind fastest(DecoderConfig config, ElementType type) {
        boolean prepacked = PrepackedLinear.pays(type, config.hiddenSize());
        return new LinearKind(type, prepacked, prepacked);
    }
}
