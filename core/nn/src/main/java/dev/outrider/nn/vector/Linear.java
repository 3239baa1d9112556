package dev.outrider.nn.vector;

import java.util.Optional;

/// A projection: a matrix and perhaps biases. Thread-safe.
///
/// @param matrix `[outputs, columns]`
/// @param bias   one number an output
record Linear(Panels matrix, Optional<float[]> bias) {
    int outputs() {
        return matrix.outputs();
    }

    /// Projects rows.
    void apply(TiledRows x, int rows, Rows y, Workspace workspace) {
        y.shape(x.paddedRows(), matrix.stride());
        float[] products = y.numbers();
        workspace
                .team()
                .run(matrix.count(), (_, from, end) -> matrix.multiply(x, products, from, end));
        bias.ifPresent(numbers -> {
            for (int row = 0; row < rows; row++) {
                VectorMath.add(products, row * y.stride(), numbers, 0, numbers.length);
            }
        });
    }
}
