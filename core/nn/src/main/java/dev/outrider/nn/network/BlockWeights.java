package dev.outrider.nn.network;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.PackedMatrix;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;

/// The weights of a checkpoint, every matrix in its own format.
///
/// @param weights that can be taken over
public record BlockWeights(CheckpointWeights weights) implements WeightSource {
    @Override
    public Optional<FileMatrix> blocks(Weight weight, int layer) {
        return weights.inBlocks(weight, layer);
    }

    /// Formats of matrices, that of the most bytes first.
    @Override
    public String formats(Precision kept) {
        return weights.formats();
    }

    @Override
    public Optional<PackedMatrix> stored(Weight weight, int layer, Precision kept) {
        return weights.stored(weight, layer, kept);
    }

    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        weights.read(weight, layer, reader);
    }
}
