package dev.outrider.nn.vector;

import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.network.LinearWeights;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.vector.Matrix.Linear;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;

/// A single matrix, for drafters without decoder layers. Thread-safe: products run one at a time.
public final class VectorLinear implements HeadPart {
    private final Arena arena;
    private final ReentrantLock lock = new ReentrantLock();
    private final Workspace workspace = new Workspace();
    private final Linear linear;
    private boolean closed;

    private VectorLinear(Arena arena, Linear linear) {
        this.arena = arena;
        this.linear = linear;
    }

    /// Makes a matrix from numbers.
    ///
    /// @throws dev.outrider.spi.error.OutriderException `CHECKPOINT_UNSUPPORTED` if a number does not fit the format
    public static VectorLinear of(LinearWeights weights, Precision precision) {
        var numbers = MemorySegment.ofArray(weights.numbers());
        var bias = weights.bias();
        precision.requireRoom(numbers, weights.name());
        bias.map(MemorySegment::ofArray)
                .ifPresent(each -> Precision.F32.requireRoom(each, weights.name() + "'s bias"));
        return Panels.owned(arena -> {
            var matrix =
                    Matrix.of(
                            precision, RowPrecision.F32, weights.rows(), weights.columns(), arena);
            matrix.fill(0, numbers);
            return new VectorLinear(arena, new Linear(matrix, bias.map(float[]::clone)));
        });
    }

    @Override
    public void apply(float[] x, int rows, float[] y) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the matrix is closed");
            }
            workspace.project(linear, x, rows, y);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                arena.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
