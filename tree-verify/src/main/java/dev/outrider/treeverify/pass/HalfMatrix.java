package dev.outrider.treeverify.pass;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/// A matrix of 16-bit numbers, packed into 32-bit integers in a way that kernels on every device can read.
///
/// A number is a code of 16 bits: the upper 12 are a significand m, stored as `m + 2048`, the lower 4 a shift s. Its value is
/// `m * 2^s * scale`, where the scale is a power of two for the whole matrix. With the scale `2^-24` the codes are the
/// numbers of IEEE 754's binary16 below 4, including subnormal numbers. A matrix with larger weights has a
/// larger scale, and its smallest weights lose bits; the lost part is at most `2^-26` of the matrix's maximum.
///
/// A row is divided into blocks of 128 numbers. The last block is padded with zeros. Integer l of a block holds number l in its
/// lower half and number `64 + l` in its upper half, so that the lanes of a group read adjacent integers.
public final class HalfMatrix {
    /// Integers of a block, which is also the distance between the two numbers of an integer. Kernels read it.
    public static final int HALF_BLOCK = 64;

    private static final int BLOCK = 2 * HALF_BLOCK;

    /// Bits of a number.
    private static final int BITS = 16;

    private static final int SHIFT_BITS = 4;
    private static final int MAX_SHIFT = 15;
    private static final int SIGNIFICAND_MASK = 0xfff;

    /// The number that is added to a significand.
    private static final int BIAS = 2048;

    /// Bits of binary16's fraction.
    private static final int FRACTION_BITS = 10;

    private static final int MAX_EXPONENT = 31;
    private static final int HIDDEN_BIT = 1 << FRACTION_BITS;

    /// Scale of matrices with weights below 4.
    private static final float MIN_SCALE = 0x1p-24f;

    /// The largest number of binary16.
    private static final float MAX = 65504;

    private HalfMatrix() {}

    /// Returns the number of integers of a row.
    ///
    /// @param size numbers of the row
    public static int words(int size) {
        return Math.ceilDiv(size, BLOCK) * HALF_BLOCK;
    }

    /// Packs a matrix.
    ///
    /// @param what   its name in errors, such as `down of layer 3`
    /// @param floats `[rows, size]`
    /// @param words  receives the integers, `[rows, words(size)]`
    /// @return the scale
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if a number is not finite or too large for 16 bits
    public static float pack(
            String what, MemorySegment floats, int rows, int size, MemorySegment words) {
        float scale = scale(largest(what, floats, (long) rows * size));
        int width = words(size);
        words.fill((byte) 0);
        for (long row = 0; row < rows; row++) {
            for (int word = 0; word < width; word++) {
                int first = word / HALF_BLOCK * BLOCK + word % HALF_BLOCK;
                int low = code(number(floats, row, first, size), scale);
                int high = code(number(floats, row, first + HALF_BLOCK, size), scale);
                words.setAtIndex(ValueLayout.JAVA_INT, row * width + word, high << BITS | low);
            }
        }
        return scale;
    }

    /// Returns the index of a number's integer in its row. Kernels call it.
    public static int wordOf(int column) {
        return column / BLOCK * HALF_BLOCK + column % HALF_BLOCK;
    }

    /// Returns the half of the integer that holds a number: 0 the lower, 1 the upper. Kernels call it.
    public static int partOf(int column) {
        return column / HALF_BLOCK % 2;
    }

    /// Returns a number before it is scaled, `m * 2^s`. Kernels call it. It extracts bits with masks, because devices differ in
    /// the sign bits that a shift to the right inserts.
    ///
    /// @param word an integer of a matrix
    /// @param part 0 for its lower half, 1 for its upper half
    public static float significand(int word, int part) {
        int bits = word >> (BITS * part);
        int biased = (bits >> SHIFT_BITS) & SIGNIFICAND_MASK;
        return (biased - BIAS) << (bits & MAX_SHIFT);
    }

    private static float number(MemorySegment floats, long row, int column, int size) {
        return column < size ? floats.getAtIndex(ValueLayout.JAVA_FLOAT, row * size + column) : 0;
    }

    private static float largest(String what, MemorySegment floats, long count) {
        float largest = 0;
        for (long index = 0; index < count; index++) {
            float number = floats.getAtIndex(ValueLayout.JAVA_FLOAT, index);
            if (!(Math.abs(number) <= MAX)) {
                throw new OutriderException(
                        ErrorCode.CHECKPOINT_UNSUPPORTED,
                        String.format(
                                Locale.ROOT,
                                "%s has the weight %s, but 16 bits hold numbers of -65504 to 65504",
                                what,
                                number),
                        "Set target.precision to f32.");
            }
            largest = Math.max(largest, Math.abs(number));
        }
        return largest;
    }

    private static float scale(float largest) {
        float scale = MIN_SCALE;
        while (shift(half(largest, scale)) > MAX_SHIFT) {
            scale *= 2;
        }
        return scale;
    }

    /// Returns the number of binary16 that is nearest to a number divided by `scale / MIN_SCALE`.
    private static int half(float number, float scale) {
        return Float.floatToFloat16(number * (MIN_SCALE / scale));
    }

    private static int shift(int half) {
        return Math.max((half >> FRACTION_BITS) & MAX_EXPONENT, 1) - 1;
    }

    /// Returns the code of a number.
    static int code(float number, float scale) {
        int half = half(number, scale);
        int fraction = half & (HIDDEN_BIT - 1);
        boolean normal = ((half >> FRACTION_BITS) & MAX_EXPONENT) > 0;
        int significand = normal ? fraction + HIDDEN_BIT : fraction;
        return ((half < 0 ? -significand : significand) + BIAS) << SHIFT_BITS | shift(half);
    }
}
