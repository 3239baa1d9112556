package dev.outrider.treeverify.pass;

import java.lang.foreign.MemorySegment;

/// A decoder compiled for a device, with weights and cache in its memory.
///
/// A run takes the rows of a [PassStaging] through all layers. What it leaves can be read until the next run. Not
/// thread-safe. All memory handed in or out holds 32-bit floats in native byte order.
public interface DeviceProgram extends AutoCloseable {
    /// Moves the cache rows that are to be moved, then runs the rows.
    void run(PassStaging pass);

    /// Copies logits, `[rows, V]`.
    ///
    /// @param first counts the rows that got some
    void readLogits(int first, int rows, MemorySegment to);

    /// Copies the residual stream after `layer` layers, `[rows, hidden]`.
    void readStream(int layer, int rows, MemorySegment to);

    /// Copies the final norm's output, `[rows, hidden]`.
    void readNormed(int rows, MemorySegment to);

    /// The embedding in the host's memory, `[V, hidden]`. Owner: the program.
    MemorySegment embedding();

    /// The head in the host's memory, `[V, hidden]`; the embedding if the head is tied. Owner: the program.
    MemorySegment head();

    /// Turns the clock of its kernels on or off. It is off at first, because asking the driver takes time.
    default void measureKernels(boolean on) {}

    /// Returns the nanoseconds that the kernels of the last run took together; 0 if the clock was off.
    default long kernelNanos() {
        return 0;
    }

    /// Releases the device's memory. Idempotent.
    @Override
    void close();
}
