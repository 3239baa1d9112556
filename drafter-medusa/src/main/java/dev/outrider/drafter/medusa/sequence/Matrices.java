package dev.outrider.drafter.medusa.sequence;

import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorMath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The matrices of one set of heads, which live and end together.
final class Matrices implements AutoCloseable {
    private final Precision precision;
    private final List<VectorLinear> all = new ArrayList<>();

    /// @param precision how all of them are kept
    Matrices(Precision precision) {
        this.precision = precision;
    }

    /// Takes a matrix over.
    VectorLinear of(Stored stored) {
        var matrix =
                VectorLinear.of(
                        stored.name(),
                        stored.numbers(),
                        stored.rows(),
                        stored.columns(),
                        precision,
                        stored.bias());
        all.add(matrix);
        return matrix;
    }

    /// A matrix in a checkpoint, or a random one.
    ///
    /// @param name    for messages
    /// @param numbers `[rows, columns]`, row-major
    /// @param bias    `[rows]`
    @SuppressWarnings("ArrayRecordComponent")
    record Stored(String name, float[] numbers, int rows, int columns, Optional<float[]> bias) {
        /// This above another of as many columns.
        Stored above(Stored below) {
            var both = new float[numbers.length + below.numbers.length];
            System.arraycopy(numbers, 0, both, 0, numbers.length);
            System.arraycopy(below.numbers, 0, both, numbers.length, below.numbers.length);
            var biases = new float[rows + below.rows];
            bias.ifPresent(each -> System.arraycopy(each, 0, biases, 0, rows));
            below.bias.ifPresent(each -> System.arraycopy(each, 0, biases, rows, below.rows));
            return new Stored(name, both, rows + below.rows, columns, Optional.of(biases));
        }

        /// This beside another of as many rows, which has no bias.
        Stored beside(Stored right) {
            int width = columns + right.columns;
            var both = new float[rows * width];
            for (int row = 0; row < rows; row++) {
                System.arraycopy(numbers, row * columns, both, row * width, columns);
                System.arraycopy(
                        right.numbers,
                        row * right.columns,
                        both,
                        row * width + columns,
                        right.columns);
            }
            return new Stored(name, both, rows, width, bias);
        }

        /// How many numbers it has.
        long size() {
            return numbers.length + bias.map(each -> each.length).orElse(0);
        }
    }

    /// Takes rows through residual blocks, `x + SiLU(W x + b)`, in place.
    static void through(List<VectorLinear> blocks, float[] x, int rows) {
        var gate = new float[x.length];
        for (var block : blocks) {
            block.apply(x, rows, gate);
            VectorMath.addSilu(x, gate);
        }
    }

    /// Arrays of one length, end to end.
    static float[] stacked(List<float[]> rows) {
        int width = rows.getFirst().length;
        var stacked = new float[rows.size() * width];
        for (int row = 0; row < rows.size(); row++) {
            System.arraycopy(rows.get(row), 0, stacked, row * width, width);
        }
        return stacked;
    }

    @Override
    public void close() {
        all.forEach(VectorLinear::close);
    }
}
