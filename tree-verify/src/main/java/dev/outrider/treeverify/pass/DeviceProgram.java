package dev.outrider.treeverify.pass;

import java.lang.foreign.MemorySegment;

/// A decoder compiled for a device, with weights and cache in its memory.
///
/// A run computes all layers for the rows of a [PassStaging]. Its results can be read until the next run. Not thread-safe. All
/// memory in arguments and results holds 32-bit floats in native byte order.
public interface DeviceProgram extends AutoCloseable {
    /// Makes the staged moves of cache rows, then computes the rows.
    void run(PassStaging pass);

    /// Copies logits, `[rows, V]`.
    ///
    /// @param first index of the first one among the rows that got logits
    void readLogits(int first, int rows, MemorySegment to);

    /// Copies the residual stream after `layer` layers, `[rows, hidden]`.
    void readStream(int layer, int rows, MemorySegment to);

    /// Copies the final norm's output, `[rows, hidden]`.
    void readNormed(int rows, MemorySegment to);

    /// Returns the embedding in the host's memory, `[V, hidden]`. The program owns it.
    MemorySegment embedding();

    /// Returns the head in the host's memory, `[V, hidden]`; the embedding if the head is tied. The program owns it.
    MemorySegment head();

    /// Turns the measurement of kernel times on or off. It is off at first, because the driver's measurement takes time.
    default void measureKernels(boolean on) {}

    /// Returns the sum of the kernel times of the last run in nanoseconds; 0 if the measurement was off.
    default long kernelNanos() {
        return 0;
    }

    /// Releases the device's memory. Idempotent.
    @Override
    void close();
}
