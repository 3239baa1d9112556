package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.Weight;

/// What a program takes of the device's memory, in bytes, computed before anything is allocated.
///
/// @param weights    all weights, biases and tables
/// @param cache      keys and values of all sequences
/// @param activations what a run computes, logits and kept hidden states included
public record MemoryDemand(long weights, long cache, long activations) {
    /// The demand of a program over 32-bit numbers.
    public static MemoryDemand of(ProgramShape shape) {
        var config = shape.config();
        long weights =
                Weight.parameters(config)
                        + shape.biases()
                        + shape.headNorms()
                        + 2L * shape.rotations();
        long cache = 2L * config.layers() * shape.cacheRows() * shape.cacheWidth();
        long perRow =
                (config.layers() + 3L) * config.hiddenSize()
                        + 2L * shape.queryWidth()
                        + config.intermediateSize()
                        + config.vocabularySize();
        return new MemoryDemand(
                Float.BYTES * weights,
                Float.BYTES * cache,
                Float.BYTES * perRow * shape.maxRows()
                        + (long) Long.BYTES * shape.maxRows() * shape.maskWords());
    }

    /// All of it.
    public long bytes() {
        return weights + cache + activations;
    }
}
