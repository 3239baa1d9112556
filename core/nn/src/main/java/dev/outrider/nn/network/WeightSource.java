package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.PackedMatrix;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TensorThread;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/// Where a network gets its weights: a checkpoint, or random numbers of a given shape.
public interface WeightSource {
    /// Reads one weight.
    ///
    /// @param weight  a weight the configuration has
    /// @param layer   counts from 0; 0 for weights that are not per layer
    /// @param type    the element type wanted
    /// @param manager owner of the result
    /// @return a contiguous tensor of shape [Weight#shape]; the caller closes it
    Tensor load(Weight weight, int layer, ElementType type, PtNDManager manager);

    /// A weight as it is stored, for readers that keep it so.
    ///
    /// @param kept how the reader keeps it
    /// @return nothing if it is stored in another way; read its numbers then
    default Optional<PackedMatrix> stored(Weight weight, int layer, Precision kept) {
        return Optional.empty();
    }

    /// A matrix as a file has it, for readers that keep every matrix as it is.
    ///
    /// @return nothing if it shall be kept otherwise
    default Optional<FileMatrix> blocks(Weight weight, int layer) {
        return Optional.empty();
    }

    /// How its matrices are kept, for reports.
    ///
    /// @param kept what those are kept in that it does not keep as they are
    default String formats(Precision kept) {
        return kept.name().toLowerCase(Locale.ROOT);
    }

    /// Shows a weight's numbers to a reader that keeps them in a memory of its own.
    ///
    /// @param reader takes 32-bit floats in native byte order, row-major; they are gone when it returns
    default void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        TensorThread.enterInference();
        try (var manager = TensorRuntime.newManager();
                var tensor = load(weight, layer, ElementType.F32, manager)) {
            reader.accept(tensor.memory());
        }
    }
}
