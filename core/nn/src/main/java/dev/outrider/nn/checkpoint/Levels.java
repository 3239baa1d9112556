package dev.outrider.nn.checkpoint;

import java.util.Arrays;
import java.util.Optional;

/// Numbers in few bits: a block of them has a 16-bit scale, and each a level, which times the scale is what the number becomes.
public enum Levels {
    /// From -127 to 127.
    EIGHT_BITS(8, -127, 127),
    /// From -8 to 7; the scale's sign gives -8 to the number of the greatest magnitude.
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

    /// The levels of so many bits, if there are any.
    public static Optional<Levels> ofBits(int bits) {
        return Arrays.stream(values()).filter(levels -> levels.bits == bits).findFirst();
    }

    /// Bits of a level.
    public int bits() {
        return bits;
    }

    /// The greatest magnitude that a number may have.
    public float most() {
        return LARGEST_SCALE * -least;
    }

    /// Rounds a block.
    ///
    /// @param numbers [#BLOCK] of them
    /// @param levels  gets the level of each
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
