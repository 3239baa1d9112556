package dev.outrider.nn.vector;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// IEEE 16-bit floats in pairs, as 32-bit ones.
final class Halves {
    /// What the exponent of a 16-bit float lacks when its bits are moved into a 32-bit one; works for subnormal numbers too.
    private static final float REBIAS = 0x1p112f;

    /// Bits by which a 16-bit float's exponent is narrower than a 32-bit one's.
    private static final int NARROWER = 3;

    /// Where its bits are then.
    private static final int SIGN_EXPONENT_FRACTION = 0x8fffe000;

    private Halves() {}

    /// Stores an output's number of a column, laid out as [PairLayout] says.
    static void put(MemorySegment memory, long at, int lane, int column, short half) {
        memory.set(ValueLayout.JAVA_SHORT, PairLayout.place(at, lane, column), half);
    }

    /// An output's number of a column.
    static float get(MemorySegment memory, long at, int lane, int column) {
        return Float.float16ToFloat(
                memory.get(ValueLayout.JAVA_SHORT, PairLayout.place(at, lane, column)));
    }

    /// The lower halves.
    static FloatVector lower(IntVector pairs) {
        return upper(pairs.lanewise(VectorOperators.LSHL, Short.SIZE));
    }

    /// The upper halves.
    static FloatVector upper(IntVector pairs) {
        return pairs.lanewise(VectorOperators.ASHR, NARROWER)
                .and(SIGN_EXPONENT_FRACTION)
                .reinterpretAsFloats()
                .mul(REBIAS);
    }
}
