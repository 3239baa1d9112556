package dev.outrider.nn.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// Small integers as floats.
final class Levels {
    /// The bits of 2^23, above whose fraction lies nothing but an integer.
    private static final int WHOLE = 0x4b000000;

    private static final float WHOLE_VALUE = 0x1p23f;

    private Levels() {}

    /// What is stored, less what is stored for 0; exact.
    ///
    /// @param stored below 2^23, not negative
    static FloatVector of(IntVector stored, int zero) {
        return stored.or(WHOLE).reinterpretAsFloats().sub(WHOLE_VALUE + zero);
    }
}
