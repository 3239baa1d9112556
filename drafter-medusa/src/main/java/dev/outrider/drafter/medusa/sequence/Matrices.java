package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorMath;
import java.util.ArrayList;
import java.util.List;

/// The matrices of one set of heads, which live and end together.
final class Matrices implements AutoCloseable {
    private final Precision precision;
    private final List<VectorLinear> all = new ArrayList<>();

    /// @param precision how all of them are kept
    Matrices(Precision precision) {
        this.precision = precision;
    }

    /// Takes a matrix over.
    VectorLinear of(HeadTensors.Matrix stored) {
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
