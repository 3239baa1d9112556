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

    private static final int MAGNITUDE = 0x7fff;
    private static final int SIGN = 0x8000;
    private static final int SHIFT = 13;

    private Halves() {}

    /// The nearest 16-bit float.
    ///
    /// @throws IllegalArgumentException if that is not finite
    static short ofFinite(float number) {
        short half = Float.floatToFloat16(number);
        if ((half & 0x7c00) == 0x7c00) {
            throw new IllegalArgumentException(
                    "the weight %s does not fit into 16-bit floats, whose largest is 65504"
                            .formatted(number));
        }
        return half;
    }

    /// The scale of an output, which stands in front of a block.
    static float scale(MemorySegment memory, long block, int lane) {
        return Float.float16ToFloat(
                memory.get(ValueLayout.JAVA_SHORT, block + 2L * PairLayout.place(lane)));
    }

    /// The lower halves.
    static FloatVector lower(IntVector pairs) {
        var magnitude = pairs.and(MAGNITUDE).lanewise(VectorOperators.LSHL, SHIFT);
        var sign = pairs.and(SIGN).lanewise(VectorOperators.LSHL, Short.SIZE);
        return signed(magnitude, sign);
    }

    /// The upper halves.
    static FloatVector upper(IntVector pairs) {
        return lower(pairs.lanewise(VectorOperators.LSHR, Short.SIZE));
    }

    private static FloatVector signed(IntVector magnitude, IntVector sign) {
        return magnitude
                .reinterpretAsFloats()
                .mul(REBIAS)
                .reinterpretAsInts()
                .or(sign)
                .reinterpretAsFloats();
    }
}
