package dev.outrider.nn.vector;

import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.vector.Matrix.Linear;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// A single matrix, for drafters without decoder layers. Thread-safe: products run one at a time.
public final class VectorLinear implements AutoCloseable {
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
    /// @param name      its name in messages
    /// @param numbers   `[outputs, columns]`, row-major
    /// @param bias      one number per output
    /// @throws dev.outrider.spi.error.OutriderException `CHECKPOINT_UNSUPPORTED` if a number does not fit the format
    public static VectorLinear of(
            String name,
            float[] numbers,
            int outputs,
            int columns,
            Precision precision,
            Optional<float[]> bias) {
        precision.requireRoom(MemorySegment.ofArray(numbers), name);
        bias.ifPresent(
                each -> Precision.F32.requireRoom(MemorySegment.ofArray(each), name + "'s bias"));
        return Panels.owned(arena -> {
            var matrix = Matrix.of(precision, RowPrecision.F32, outputs, columns, arena);
            matrix.fill(0, MemorySegment.ofArray(numbers));
            return new VectorLinear(arena, new Linear(matrix, bias.map(float[]::clone)));
        });
    }

    /// Multiplies rows.
    ///
    /// @param x `[rows, columns]`
    /// @param y receives `[rows, outputs]`
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

    /// Waits for a running product, then releases the memory. Idempotent.
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
