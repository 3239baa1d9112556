package dev.outrider.nn.checkpoint;

/// The 16-bit float types.
public final class HalfFloats {
    private HalfFloats() {}

    /// A bfloat16 number is the upper half of a 32-bit float.
    public static float fromBfloat16(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /// Rounds to nearest, ties to even; NaN stays NaN.
    public static short toBfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) (bits >>> 16 | 0x40);
        }
        int half = 0x7FFF + (bits >>> 16 & 1);
        return (short) (bits + half >>> 16);
    }

    /// Returns the nearest IEEE 16-bit float.
    ///
    /// @throws IllegalArgumentException if that is not finite
    public static short toFiniteFloat16(float value) {
        short half = Float.floatToFloat16(value);
        if (!Float.isFinite(Float.float16ToFloat(half))) {
            throw new IllegalArgumentException(
                    "the weight %s does not fit into 16-bit floats, whose largest is 65504"
                            .formatted(value));
        }
        return half;
    }
}
