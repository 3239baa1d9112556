package dev.outrider.nn.network;

import dev.outrider.nn.checkpoint.FileMatrix;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/// Where a network gets its weights: a checkpoint, or random numbers of a given shape.
///
/// Implementations are thread-safe: several layers are read at a time.
public interface WeightSource {

    /// Returns a matrix as its file has it, for readers that take it over.
    ///
    /// @param kept the reader's number format for other matrices
    /// @return nothing if it has another format; then read its numbers
    default Optional<FileMatrix> stored(Weight weight, int layer, Precision kept) {
        return Optional.empty();
    }

    /// How its matrices are kept, for reports.
    ///
    /// @param kept what those are kept in that it does not keep as they are
    default String formats(Precision kept) {
        return kept.name().toLowerCase(Locale.ROOT);
    }

    /// Gives a weight's numbers to a reader, which copies what it keeps.
    ///
    /// @param weight one that the configuration has
    /// @param layer  counts from 0; 0 for weights that are not per layer
    /// @param reader takes 32-bit floats in native byte order, row-major, of the shape [Weight#shape]; the memory is
    ///               released when it returns
    void read(Weight weight, int layer, Consumer<MemorySegment> reader);

    /// Gives a matrix's numbers to a reader, some rows after others, so that a large one is not in memory twice.
    ///
    /// @param weight one of two dimensions, as [#read] takes it
    /// @param reader is called with whole rows, in order, at least once
    default void readRows(Weight weight, int layer, Consumer<MemorySegment> reader) {
        read(weight, layer, reader);
    }

    /// Returns the bytes that [#readRows] takes while it runs.
    ///
    /// @param config the architecture that the weights are of
    default long readingBytes(DecoderConfig config, Weight weight, int layer) {
        return Math.multiplyExact(weight.elements(config, layer), Float.BYTES);
    }
}
