package dev.outrider.nn.integers;

import java.lang.foreign.Arena;

/// What multiplies matrices of eight-bit integers. Thread-safe.
public interface IntegerProducts {
    /// Its name and the instructions it uses, for provenance.
    String name();

    /// An empty matrix.
    ///
    /// @param arena owner of its memory
    IntegerMatrix matrix(int outputs, int columns, Arena arena);

    /// Something that multiplies on some machines only. Found as a service.
    interface Provider {
        /// Its products, once it is known that they are exact here.
        ///
        /// @throws dev.outrider.spi.error.OutriderException `BACKEND_UNAVAILABLE` if it cannot serve on this machine
        IntegerProducts open();
    }
}
