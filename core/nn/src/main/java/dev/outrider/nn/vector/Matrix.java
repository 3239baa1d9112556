package dev.outrider.nn.vector;

import dev.outrider.nn.checkpoint.PackedMatrix;
import dev.outrider.nn.network.Precision;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A matrix `[outputs, columns]` of weights. Thread-safe once it is filled.
sealed interface Matrix permits Panels, LevelMatrix {
    /// An empty matrix.
    static Matrix of(Precision precision, int outputs, int columns, Arena arena) {
        return precision == Precision.W8A8
                ? new LevelMatrix(outputs, columns, arena)
                : Panels.of(precision, outputs, columns, arena);
    }

    int outputs();

    int columns();

    /// Numbers in a row of products, filling included.
    int stride();

    /// Stores outputs.
    ///
    /// @param first of them; they come in order
    /// @param rows  `[n, columns]` 32-bit floats in native byte order
    void fill(int first, MemorySegment rows);

    /// Stores outputs as they are.
    ///
    /// @param first of them
    /// @param rows  in levels of the matrix's own format
    void fill(int first, PackedMatrix rows);

    /// An output's weights, as they multiply.
    void read(int output, float[] into, int at);

    /// Multiplies rows.
    ///
    /// @param y gets the products, `[rows, stride()]`
    void multiply(InputRows x, float[] y, Workspace workspace);
}
