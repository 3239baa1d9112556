package dev.outrider.treeverify.pass;

import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.DeviceMemory;

/// What a program takes of the device's memory: the arrays it will allocate, by name.
public final class ProgramMemory {
    private ProgramMemory() {}

    /// The demand of a program.
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
                        .add("attention's chunks", shape.chunkResults(), Float.BYTES)
                        .add("inner rows of a pass", rows * inner, Float.BYTES)
                        .add("logits of a pass", rows * config.vocabularySize(), Float.BYTES)
                        .add("masks", rows * shape.maskWords(), Long.BYTES);
        matrix(memory, shape, "the embedding", config.vocabularySize(), hidden);
        if (!config.tiedHead()) {
            matrix(memory, shape, "the head", config.vocabularySize(), hidden);
        }
        for (int layer = 0; layer < config.layers(); layer++) {
            matrix(
                    memory,
                    shape,
                    "queries, keys and values of layer " + layer,
                    shape.queryKeyValueOutputs(),
                    hidden);
            matrix(memory, shape, "output of layer " + layer, hidden, shape.queryWidth());
            matrix(memory, shape, "gate and up of layer " + layer, 2 * inner, hidden);
            matrix(memory, shape, "down of layer " + layer, hidden, inner);
        }
        return memory;
    }

    private static void matrix(
            DeviceMemory memory, ProgramShape shape, String name, long rows, long size) {
        switch (shape.format()) {
            case F32 -> memory.add(name, rows * size, Float.BYTES);
            case F16 ->
                    memory.add(name, rows * HalfMatrix.words(Math.toIntExact(size)), Integer.BYTES);
        }
    }
}
