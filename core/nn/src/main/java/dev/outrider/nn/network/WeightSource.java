package dev.outrider.nn.network;

import dev.outrider.nn.checkpoint.FileMatrix;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/// The source of a network's weights: a checkpoint, or random numbers of a given shape.
///
/// Implementations are thread-safe: several layers are read at a time.
public interface WeightSource {

    /// Returns a matrix in the format of its file, for readers that can use it directly.
    ///
    /// @param kept the reader's number format for other matrices
    /// @return empty if it has another format; then read its numbers
    default Optional<FileMatrix> stored(Weight weight, int layer, Precision kept) {
        return Optional.empty();
    }

    /// Returns the number formats of its matrices, for reports.
    ///
    /// @param kept the format of matrices that are not in the file's format
    default String formats(Precision kept) {
        return kept.name().toLowerCase(Locale.ROOT);
    }

    /// Passes a weight's numbers to a reader, which copies the numbers that it needs.
    ///
    /// @param weight one that the configuration has
    /// @param layer  counts from 0; 0 for weights that are not per layer
    /// @param reader receives 32-bit floats in native byte order, row-major, of the shape [Weight#shape]; the memory is released
    ///               when it returns
    void read(Weight weight, int layer, Consumer<MemorySegment> reader);

    /// Passes a matrix's numbers to a reader, some rows after others, so that a large matrix is not in memory twice.
    ///
    /// @param weight with two dimensions, as for [#read]
    /// @param reader is called with whole rows, in order, at least once
    default void readRows(Weight weight, int layer, Consumer<MemorySegment> reader) {
        read(weight, layer, reader);
    }

    /// Returns the bytes that [#readRows] uses while it runs.
    ///
    /// @param config the architecture of the weights
    default long readingBytes(DecoderConfig config, Weight weight, int layer) {
        return Math.multiplyExact(weight.elements(config, layer), Float.BYTES);
    }
}
