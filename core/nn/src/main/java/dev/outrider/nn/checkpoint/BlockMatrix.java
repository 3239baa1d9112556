package dev.outrider.nn.checkpoint;

import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;

/// A matrix as a GGUF file keeps it, rows of which may lie in another order, or among those of others.
///
/// @param tensor where its rows are
/// @param rows   how many
/// @param place  the tensor's row that is a row of the matrix
public record BlockMatrix(StoredTensor tensor, long rows, LongUnaryOperator place)
        implements FileMatrix {
    /// Its number format.
    public TensorType type() {
        return tensor.type();
    }

    /// Numbers of a row.
    public int columns() {
        return Math.toIntExact(tensor.shape().getLast());
    }

    /// A row, without a copy.
    public StoredTensor row(long row) {
        return tensor.row(place.applyAsLong(row));
    }

    /// Shows a row's blocks.
    public MemorySegment data(long row) {
        return row(row).data();
    }
}
