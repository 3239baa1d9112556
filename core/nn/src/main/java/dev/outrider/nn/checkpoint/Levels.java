package dev.outrider.nn.checkpoint;

import java.util.Arrays;
import java.util.Optional;

/// Symmetric quantisation in blocks: a block has a 16-bit scale, each number a level, and level
/// times scale is the quantised number.
public enum Levels {
    /// From -127 to 127.
    EIGHT_BITS(8, -127, 127),
    /// From -8 to 7. The sign of the scale is chosen so that the number of the greatest magnitude
    /// gets -8.
    FOUR_BITS(4, -8, 7);

    /// Numbers of a block.
    public static final int BLOCK = 32;

    private static final float LARGEST_SCALE = 65504;

    private final int bits;
    private final int least;
    private final int greatest;

    Levels(int bits, int least, int greatest) {
        this.bits = bits;
        this.least = least;
        this.greatest = greatest;
    }

    /// Returns the levels of this many bits, if supported.
    public static Optional<Levels> ofBits(int bits) {
        return Arrays.stream(values()).filter(levels -> levels.bits == bits).findFirst();
    }

    /// Returns the bits of a level.
    public int bits() {
        return bits;
    }

    /// Returns the greatest magnitude of a number.
    public float most() {
        return LARGEST_SCALE * -least;
    }

    /// Quantises a block.
    ///
    /// @param numbers [#BLOCK] numbers
    /// @param levels  receives the level of each
    /// @return the scale, a 16-bit float
    /// @throws IllegalArgumentException if the scale would not be finite
    public short round(float[] numbers, byte[] levels) {
        float extreme = 0;
        for (float number : numbers) {
            extreme = Math.abs(number) > Math.abs(extreme) ? number : extreme;
        }
        short half = HalfFloats.toFiniteFloat16(step(extreme));
        float scale = Float.float16ToFloat(half);
        for (int index = 0; index < BLOCK; index++) {
            int level = scale == 0 ? 0 : Math.round(numbers[index] / scale);
            levels[index] = (byte) Math.clamp(level, least, greatest);
        }
        return half;
    }

    private float step(float extreme) {
        return switch (this) {
            case EIGHT_BITS -> Math.abs(extreme) / greatest;
            case FOUR_BITS -> extreme / least;
        };
    }
}
