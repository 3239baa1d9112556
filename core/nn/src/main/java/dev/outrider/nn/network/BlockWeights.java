package dev.outrider.nn.network;

import dev.outrider.nn.checkpoint.FileMatrix;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;

/// The weights of a checkpoint, every matrix in its own format.
///
/// @param weights a checkpoint whose matrices can be used in the file's format, see [CheckpointWeights#inBlocks]
public record BlockWeights(CheckpointWeights weights) implements WeightSource {
    @Override
    public Optional<FileMatrix> stored(Weight weight, int layer, Precision kept) {
        return weights.inBlocks(weight, layer);
    }

    /// Returns the formats of matrices, the one with the most bytes first.
    @Override
    public String formats(Precision kept) {
        return weights.formats();
    }

    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        weights.read(weight, layer, reader);
    }

    @Override
    public void readRows(Weight weight, int layer, Consumer<MemorySegment> reader) {
        weights.readRows(weight, layer, reader);
    }

    @Override
    public long readingBytes(DecoderConfig config, Weight weight, int layer) {
        return weights.readingBytes(config, weight, layer);
    }
}
