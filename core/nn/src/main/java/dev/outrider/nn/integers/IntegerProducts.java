package dev.outrider.nn.integers;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Multiplies matrices of eight-bit integers. Thread-safe.
public interface IntegerProducts {
    /// Returns its name and the instructions that it uses, for provenance.
    String name();

    /// Returns an empty matrix.
    ///
    /// @param arena owner of its memory
    IntegerMatrix matrix(int outputs, int columns, Arena arena);

    /// An implementation for some machines only. Found as a service.
    interface Provider {
        /// Returns its products, after a check that they are exact on this machine.
        ///
        /// @throws dev.outrider.spi.error.OutriderException `BACKEND_UNAVAILABLE` if it cannot serve on this machine
        IntegerProducts open();
    }

    /// A matrix `[outputs, columns]` of eight-bit integers from -127 to 127, whose outputs are divided into parts for the threads.
    /// Thread-safe once it is filled.
    public interface IntegerMatrix {
        /// Stores the next output.
        ///
        /// @param levels one a column
        void add(byte[] levels);

        /// Reads an output.
        ///
        /// @param levels receives one per column
        void read(int output, byte[] levels);

        /// Returns the number of parts.
        int parts();

        /// Returns the first output of a part, a multiple of 64; of the part after the last, the number of outputs.
        int firstOutput(int part);

        /// Multiplies rows by the outputs of some parts. Nothing is rounded: the sums are integers.
        ///
        /// @param x     bytes `[rows, columns]`, aligned to 64
        /// @param sums  receives 32-bit integers `[rows, stride]`, aligned to 64
        /// @param stride the same in every call
        /// @param first part
        /// @param end   the part after the last
        void multiply(
                MemorySegment x, int rows, MemorySegment sums, int stride, int first, int end);
    }
}
