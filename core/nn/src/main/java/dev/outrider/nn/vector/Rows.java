package dev.outrider.nn.vector;

/// Activations, row after row. Reused from pass to pass; confined to the pass.
final class Rows {
    private float[] numbers = new float[0];
    private int stride;

    /// Makes room; what was there is lost.
    void shape(int rows, int width) {
        stride = width;
        int size = Math.multiplyExact(rows, width);
        if (numbers.length < size) {
            numbers = new float[size];
        }
    }

    float[] numbers() {
        return numbers;
    }

    int stride() {
        return stride;
    }

    int at(int row) {
        return row * stride;
    }
}
