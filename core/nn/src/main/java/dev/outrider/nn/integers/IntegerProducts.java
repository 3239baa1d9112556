package dev.outrider.nn.integers;

import java.lang.foreign.Arena;

/// What multiplies matrices of eight-bit integers. Found as a service; thread-safe.
public interface IntegerProducts {
    /// Its name and the instructions it uses, for provenance.
    ///
    /// @throws UnsupportedOperationException if it cannot serve on this machine, with the reason
    String name();

    /// An empty matrix.
    ///
    /// @param arena owner of its memory
    IntegerMatrix matrix(int outputs, int columns, Arena arena);
}
