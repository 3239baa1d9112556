package dev.outrider.nn.checkpoint;

import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;

/// A matrix in the blocks of a GGUF file. Its rows may be in another order in the file, or among
/// those of other matrices.
///
/// @param tensor the tensor that contains its rows
/// @param rows   number of rows
/// @param place  the tensor's row by row of the matrix
public record BlockMatrix(StoredTensor tensor, long rows, LongUnaryOperator place)
        implements FileMatrix {
    /// Returns its number format.
    public TensorType type() {
        return tensor.type();
    }

    /// Returns the numbers of a row.
    public int columns() {
        return Math.toIntExact(tensor.shape().getLast());
    }

    /// Returns a row, without a copy.
    public StoredTensor row(long row) {
        return tensor.row(place.applyAsLong(row));
    }

    /// Returns a row's blocks.
    public MemorySegment data(long row) {
        return row(row).data();
    }
}
