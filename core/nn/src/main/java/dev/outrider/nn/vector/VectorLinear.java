package dev.outrider.nn.vector;

import dev.outrider.nn.network.Precision;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// A matrix by itself, for drafters that are no decoders. Thread-safe; products are serialised.
public final class VectorLinear implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final ReentrantLock lock = new ReentrantLock();
    private final Workspace workspace = new Workspace();
    private final Linear linear;

    /// @param numbers   `[outputs, columns]`, row-major
    /// @param bias      one number an output
    public VectorLinear(
            float[] numbers,
            int outputs,
            int columns,
            Precision precision,
            Optional<float[]> bias) {
        var panels = Panels.of(precision, outputs, columns, arena);
        panels.fill(0, MemorySegment.ofArray(numbers));
        linear = new Linear(panels, bias.map(float[]::clone));
    }

    /// Multiplies rows.
    ///
    /// @param x `[rows, columns]`
    /// @param y gets `[rows, outputs]`
    public void apply(float[] x, int rows, float[] y) {
        lock.lock();
        try {
            workspace.project(linear, x, rows, y);
        } finally {
            lock.unlock();
        }
    }

    /// Releases the memory.
    @Override
    public void close() {
        arena.close();
    }
}
