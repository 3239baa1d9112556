package dev.outrider.nn.vector;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.vector.Rows.InputRows;
import dev.outrider.nn.vector.Rows.TiledRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// A matrix `[outputs, columns]` of weights. Thread-safe after it is filled.
sealed interface Matrix permits IntegerPanels, Panels, QuantizedMatrix {
    /// Makes an empty matrix.
    ///
    /// @param rows number format of the rows that a matrix of integers multiplies
    static Matrix of(
            Precision precision, RowPrecision rows, int outputs, int columns, Arena arena) {
        return switch (precision) {
            case F32 -> new Panels(PanelFormat.F32, outputs, columns, arena);
            case BF16 -> new Panels(PanelFormat.BF16, outputs, columns, arena);
            case F16 -> new Panels(PanelFormat.F16, outputs, columns, arena);
            case INT8 -> of(PanelFormat.INT8, rows, outputs, columns, arena);
            case INT4 -> of(PanelFormat.INT4, rows, outputs, columns, arena);
            case W8A8 ->
                    new QuantizedMatrix(
                            outputs,
                            columns,
                            arena,
                            IntegerKernel.runs(PanelFormat.LEVELS.integers()));
        };
    }

    private static Matrix of(
            PanelFormat format, RowPrecision rows, int outputs, int columns, Arena arena) {
        return rows == RowPrecision.F32
                ? new Panels(format, outputs, columns, arena)
                : new IntegerPanels(List.of(format), List.of(outputs), columns, arena);
    }

    int outputs();

    int columns();

    /// Returns the length of a row of products, including padding.
    int stride();

    /// Returns whether a new matrix has only zeros, so that outputs of zeros need not be stored.
    boolean zeroed();

    /// Stores outputs.
    ///
    /// @param first index of the first output; outputs are stored in order
    /// @param rows  `[n, columns]` 32-bit floats in native byte order
    void fill(int first, MemorySegment rows);

    /// Stores outputs in their own format.
    ///
    /// @param first index of the first output
    /// @param rows  a file's matrix in a format that some panels have
    void fill(int first, FileMatrix rows);

    /// Copies an output's weights, with the values that products use.
    void read(int output, float[] into, int at);

    /// Multiplies rows.
    ///
    /// @param y receives the products, `[rows, stride()]`
    void multiply(InputRows x, float[] y, Workspace workspace);

    /// A projection: a matrix and optional biases. Thread-safe.
    ///
    /// @param matrix `[outputs, columns]`
    /// @param bias   one number per output
    record Linear(Matrix matrix, Optional<float[]> bias) {
        int outputs() {
            return matrix.outputs();
        }

        /// Projects rows.
        void apply(InputRows x, int rows, Rows y, Workspace workspace) {
            y.shape(TiledRows.padded(rows), matrix.stride());
            float[] products = y.numbers();
            matrix.multiply(x, products, workspace);
            bias.ifPresent(numbers -> {
                for (int row = 0; row < rows; row++) {
                    VectorMath.add(products, row * y.stride(), numbers, 0, numbers.length);
                }
            });
        }
    }
}
