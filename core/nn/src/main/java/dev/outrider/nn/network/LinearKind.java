package dev.outrider.nn.network;

import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.PrepackedLinear;

/// How a network multiplies by its matrices.
///
/// @param type          element type of weights, activations and caches
/// @param prepacked     whether the matrices of the layers are prepacked
/// @param headPrepacked whether the head is prepacked
record LinearKind(ElementType type, boolean prepacked, boolean headPrepacked) {
    /// A prepacked call has a fixed cost of some 14 microseconds, which narrower 32-bit matrices do not win back.
    /// In bfloat16 the ordinary operation's fixed cost is higher still.
    private static final int NARROWEST_PREPACKED_F32 = 256;

    /// What is fastest for a configuration on this machine.
    static LinearKind fastest(DecoderConfig config, ElementType type) {
        boolean pays =
                switch (type) {
                    case F32 -> config.hiddenSize() >= NARROWEST_PREPACKED_F32;
                    case BF16 -> true;
                };
        boolean prepacked = pays && PrepackedLinear.works(type);
        return new LinearKind(type, prepacked, prepacked);
    }
}
