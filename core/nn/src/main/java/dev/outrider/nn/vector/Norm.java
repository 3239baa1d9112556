package dev.outrider.nn.vector;

import dev.outrider.nn.network.BlockForm.NormKind;
import java.util.Optional;

/// A norm of rows. Thread-safe.
///
/// @param kind    kind of the norm
/// @param weight  one number a column
/// @param bias    one number a column, for kinds that have one
/// @param epsilon added to the mean square
record Norm(NormKind kind, float[] weight, Optional<float[]> bias, double epsilon) {
    /// Norms a row.
    ///
    /// @param x  the row; may be `y`
    /// @param to start of the result
    void apply(float[] x, int at, int size, float[] y, int to) {
        switch (kind) {
            case RMS -> VectorMath.rmsNorm(x, at, size, weight, epsilon, y, to);
            case LAYER -> VectorMath.layerNorm(x, at, size, weight, bias, epsilon, y, to);
        }
    }

    /// Norms a row in place.
    void apply(Rows rows, int row, int size) {
        apply(rows.numbers(), rows.at(row), size, rows.numbers(), rows.at(row));
    }
}
