package dev.outrider.nn.vector;

import java.util.Optional;

/// A projection: a matrix and perhaps biases. Thread-safe.
///
/// @param matrix `[outputs, columns]`
/// @param bias   one number an output
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
