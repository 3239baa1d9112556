package dev.outrider.nn.network;

import java.util.Optional;

/// A matrix with a bias, as numbers.
///
/// @param numbers row by row
/// @param bias    one number per row, if it has a bias
@SuppressWarnings("ArrayRecordComponent") // read, never compared
public record LinearWeights(
        String name, float[] numbers, int rows, int columns, Optional<float[]> bias) {
    /// Returns this matrix above another with as many columns.
    public LinearWeights above(LinearWeights below) {
        var both = new float[numbers.length + below.numbers.length];
        System.arraycopy(numbers, 0, both, 0, numbers.length);
        System.arraycopy(below.numbers, 0, both, numbers.length, below.numbers.length);
        return new LinearWeights(name, both, rows + below.rows, columns, biasAbove(below));
    }

    private Optional<float[]> biasAbove(LinearWeights below) {
        if (bias.isEmpty() && below.bias.isEmpty()) {
            return Optional.empty();
        }
        var both = new float[rows + below.rows];
        bias.ifPresent(each -> System.arraycopy(each, 0, both, 0, rows));
        below.bias.ifPresent(each -> System.arraycopy(each, 0, both, rows, below.rows));
        return Optional.of(both);
    }

    /// Returns this matrix beside another with as many rows, which has no bias.
    public LinearWeights beside(LinearWeights right) {
        int width = columns + right.columns;
        var both = new float[rows * width];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(numbers, row * columns, both, row * width, columns);
            System.arraycopy(
                    right.numbers, row * right.columns, both, row * width + columns, right.columns);
        }
        return new LinearWeights(name, both, rows, width, bias);
    }

    /// Returns a matrix of some of the rows.
    ///
    /// @param order for each row of the result, its row in this matrix
    public LinearWeights rows(int[] order) {
        var moved = new float[order.length * columns];
        for (int row = 0; row < order.length; row++) {
            System.arraycopy(numbers, order[row] * columns, moved, row * columns, columns);
        }
        return new LinearWeights(
                name, moved, order.length, columns, bias.map(each -> picked(each, order)));
    }

    private static float[] picked(float[] numbers, int[] order) {
        var picked = new float[order.length];
        for (int i = 0; i < order.length; i++) {
            picked[i] = numbers[order[i]];
        }
        return picked;
    }

    /// Returns the number of parameters.
    public long size() {
        return numbers.length + bias.map(each -> each.length).orElse(0);
    }
}
