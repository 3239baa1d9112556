package dev.outrider.drafting.head;

import dev.outrider.common.Undo;
import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.network.LinearWeights;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.target.DecoderBackend;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorMath;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The matrices of one set of heads, which are loaded and closed together. Confined to one thread while they are loaded,
/// thread-safe afterwards.
public final class HeadMatrices implements AutoCloseable {
    private final Source source;
    private final Precision precision;
    private final Optional<Function<HeadPart.Weights, HeadPart>> device;
    private final List<HeadPart> all = new ArrayList<>();
    private long parameters;

    /// The source of matrices, such as a file ([HeadTensors#matrix]).
    @FunctionalInterface
    public interface Source {
        /// Returns a matrix with its bias, if it has one.
        ///
        /// @param name name without `.weight` and `.bias`
        LinearWeights matrix(String name, int rows, int columns);
    }

    /// @param precision number format of all of them
    /// @throws dev.outrider.spi.error.OutriderException `BACKEND_UNAVAILABLE` if this process has no vector code
    public HeadMatrices(Source source, Precision precision) {
        this(source, precision, Optional.empty());
    }

    /// The matrices of a drafter in its back end.
    ///
    /// @throws dev.outrider.spi.error.OutriderException `BACKEND_UNAVAILABLE`
    public HeadMatrices(
            String drafter,
            Source source,
            Optional<Precision> precision,
            BackendKey engine,
            TargetModel target) {
        this(
                source,
                HeadKeys.precision(precision, target),
                Optional.of("tornado")
                        .filter(_ -> engine.backend() == DraftBackend.TORNADO)
                        .map(DecoderBackend::named)
                        .map(device -> weights -> device.load(drafter, weights, precision)));
    }

    private HeadMatrices(
            Source source,
            Precision precision,
            Optional<Function<HeadPart.Weights, HeadPart>> device) {
        this.source = source;
        this.precision = precision;
        this.device = device;
        if (device.isEmpty()) {
            VectorMachine.require();
        }
    }

    /// Returns whether a device runs them, and then whole heads at once ([#load(HeadPart.Weights)]).
    public boolean onDevice() {
        return device.isPresent();
    }

    /// Returns a matrix from the source, for [#load]. If that fails, all loaded matrices are closed.
    public LinearWeights read(String name, int rows, int columns) {
        return Undo.onFailure(this::close, () -> source.matrix(name, rows, columns));
    }

    /// Loads a matrix.
    public HeadPart load(String name, int rows, int columns) {
        return load(read(name, rows, columns));
    }

    /// Loads a matrix. If that fails, all loaded matrices are closed.
    public HeadPart load(LinearWeights stored) {
        return load(HeadPart.Weights.of(stored));
    }

    /// Loads a matrix, or with a device any part of a head. If that fails, all loaded matrices are closed.
    public HeadPart load(HeadPart.Weights stored) {
        return Undo.onFailure(
                this::close,
                () -> {
                    var part = make(stored, precision);
                    all.add(part);
                    parameters += stored.matrices().stream().mapToLong(LinearWeights::size).sum();
                    return part;
                });
    }

    /// Loads a matrix of the target, which the caller closes.
    public HeadPart loadLent(LinearWeights stored) {
        return make(HeadPart.Weights.of(stored), Precision.F32);
    }

    private HeadPart make(HeadPart.Weights stored, Precision kept) {
        return device.map(each -> each.apply(stored))
                .orElseGet(() -> VectorLinear.of(stored.projection().orElseThrow(), kept));
    }

    /// Returns the number of loaded parameters.
    public long parameters() {
        return parameters;
    }

    /// Runs rows through residual blocks, `x + SiLU(W x + b)`, in place.
    public static void residual(List<HeadPart> blocks, float[] x, int rows) {
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
        all.forEach(HeadPart::close);
    }
}
