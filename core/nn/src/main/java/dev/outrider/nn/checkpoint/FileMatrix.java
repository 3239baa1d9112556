package dev.outrider.nn.checkpoint;

import dev.outrider.nn.gguf.WeightBlock;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongUnaryOperator;

/// A matrix in the number format of its file. Thread-safe to read. Owner of the memory: the [CheckpointTensors] of its tensors.
public sealed interface FileMatrix permits FileMatrix.BlockMatrix, GroupedMatrix, PackedMatrix {
    /// Returns the name of the tensor that it is or replaces.
    String name();

    /// Returns the number of rows.
    long rows();

    /// Returns the numbers of a row.
    int columns();

    /// Reads a block of a row.
    ///
    /// @param index counts the blocks of the row; the last may have fewer columns
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if its numbers are not finite
    void read(long row, int index, WeightBlock into);

    /// Computes a row's numbers.
    ///
    /// @param into receives [#columns] numbers
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if they are not finite
    void numbers(long row, float[] into);

    /// Writes its numbers as 32-bit floats in native byte order.
    ///
    /// @param floats has room for all of them
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if they are not finite
    default void toFloats(MemorySegment floats) {
        var numbers = new float[columns()];
        for (long row = 0; row < rows(); row++) {
            numbers(row, numbers);
            long at = row * numbers.length * Float.BYTES;
            MemorySegment.copy(
                    numbers, 0, floats, ValueLayout.JAVA_FLOAT_UNALIGNED, at, numbers.length);
        }
    }

    /// A matrix in the blocks of a GGUF file. Its rows may be in another order in the file, or among those of other matrices.
    ///
    /// @param tensor the tensor that contains its rows
    /// @param rows   number of rows
    /// @param place  the tensor's row by row of the matrix
    record BlockMatrix(StoredTensor tensor, long rows, LongUnaryOperator place)
            implements FileMatrix {
        /// Returns its number format.
        public TensorType type() {
            return tensor.type();
        }

        @Override
        public String name() {
            return tensor.name();
        }

        @Override
        public int columns() {
            return Math.toIntExact(tensor.shape().getLast());
        }

        /// Returns a row, without a copy.
        public StoredTensor row(long row) {
            return tensor.row(place.applyAsLong(row));
        }

        @Override
        public void read(long row, int index, WeightBlock into) {
            var blocks = type().blocks().orElseThrow();
            long start = place.applyAsLong(row) * type().bytes(columns());
            into.read(blocks, tensor.data(), start + (long) index * blocks.bytes());
            if (!into.finite()) {
                throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                        "block %d of a row of tensor '%s' has a scale that is no finite number"
                                .formatted(index, tensor.name()),
                        "Use a file whose weights are numbers.");
            }
        }

        @Override
        public void numbers(long row, float[] into) {
            row(row).toFloats(MemorySegment.ofArray(into));
        }
    }
}
