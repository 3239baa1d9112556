package dev.outrider.treeverify.pass;

import dev.outrider.spi.OutriderException;
import dev.outrider.treeverify.DeviceMemory;

/// What a program takes of the device's memory: the arrays it will allocate, by name.
public final class ProgramMemory {
    private ProgramMemory() {}

    /// The demand of a program over 32-bit numbers.
    ///
    /// @throws OutriderException `OUT_OF_MEMORY` if an array is longer than kernels can index
    public static DeviceMemory of(ProgramShape shape) {
        var config = shape.config();
        long hidden = config.hiddenSize();
        long inner = config.intermediateSize();
        long rows = shape.maxRows();
        long cache = (long) config.layers() * shape.cacheRows() * shape.cacheWidth();
        var memory =
                new DeviceMemory()
                        .add("the embedding", config.vocabularySize() * hidden, Float.BYTES)
                        .add("norms", shape.norms() + shape.headNorms(), Float.BYTES)
                        .add("biases", shape.biases(), Float.BYTES)
                        .add("rotations", 2L * shape.rotations(), Float.BYTES)
                        .add("keys of the cache", cache, Float.BYTES)
                        .add("values of the cache", cache, Float.BYTES)
                        .add(
                                "hidden states of a pass",
                                (config.layers() + 1) * rows * hidden,
                                Float.BYTES)
                        .add("rows of a pass", 2 * rows * hidden, Float.BYTES)
                        .add("queries of a pass", 2 * rows * shape.queryWidth(), Float.BYTES)
                        .add("inner rows of a pass", rows * inner, Float.BYTES)
                        .add("logits of a pass", rows * config.vocabularySize(), Float.BYTES)
                        .add("masks", rows * shape.maskWords(), Long.BYTES);
        if (!config.tiedHead()) {
            memory.add("the head", config.vocabularySize() * hidden, Float.BYTES);
        }
        for (int layer = 0; layer < config.layers(); layer++) {
            memory.add(
                    "queries, keys and values of layer " + layer,
                    shape.queryKeyValueOutputs() * hidden,
                    Float.BYTES);
            memory.add("output of layer " + layer, hidden * shape.queryWidth(), Float.BYTES);
            memory.add("gate and up of layer " + layer, 2 * inner * hidden, Float.BYTES);
            memory.add("down of layer " + layer, inner * hidden, Float.BYTES);
        }
        return memory;
    }
}
