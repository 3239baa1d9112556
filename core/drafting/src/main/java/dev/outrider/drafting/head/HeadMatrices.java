package dev.outrider.drafting.head;

import dev.outrider.common.Undo;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorMath;
import java.util.ArrayList;
import java.util.List;

/// The matrices of one set of heads, which are loaded and closed together. Confined to one thread while they are loaded,
/// thread-safe afterwards.
public final class HeadMatrices implements AutoCloseable {
    private final Source source;
    private final Precision precision;
    private final List<VectorLinear> all = new ArrayList<>();
    private long parameters;

    /// The source of matrices, such as a file ([HeadTensors#matrix]).
    @FunctionalInterface
    public interface Source {
        /// Returns a matrix with its bias, if it has one.
        ///
        /// @param name name without `.weight` and `.bias`
        HeadTensors.Matrix matrix(String name, int rows, int columns);
    }

    /// @param precision number format of all of them
    /// @throws dev.outrider.spi.error.OutriderException `BACKEND_UNAVAILABLE` if this process has no vector code
    public HeadMatrices(Source source, Precision precision) {
        VectorMachine.require();
        this.source = source;
        this.precision = precision;
    }

    /// Returns a matrix from the source, for [#load]. If that fails, all loaded matrices are closed.
    public HeadTensors.Matrix read(String name, int rows, int columns) {
        return Undo.onFailure(this::close, () -> source.matrix(name, rows, columns));
    }

    /// Loads a matrix.
    public VectorLinear load(String name, int rows, int columns) {
        return load(read(name, rows, columns));
    }

    /// Loads a matrix. If that fails, all loaded matrices are closed.
    public VectorLinear load(HeadTensors.Matrix stored) {
        return Undo.onFailure(
                this::close,
                () -> {
                    var matrix =
                            VectorLinear.of(
                                    stored.name(),
                                    stored.numbers(),
                                    stored.rows(),
                                    stored.columns(),
                                    precision,
                                    stored.bias());
                    all.add(matrix);
                    parameters += stored.size();
                    return matrix;
                });
    }

    /// Returns the number of loaded parameters.
    public long parameters() {
        return parameters;
    }

    /// Runs rows through residual blocks, `x + SiLU(W x + b)`, in place.
    public static void residual(List<VectorLinear> blocks, float[] x, int rows) {
        var gate = new float[x.length];
        for (var block : blocks) {
            block.apply(x, rows, gate);
            VectorMath.addSilu(x, gate);
        }
    }

    /// Concatenates arrays of one length.
    public static float[] stacked(List<float[]> rows) {
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
