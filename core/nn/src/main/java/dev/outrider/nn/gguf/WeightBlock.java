package dev.outrider.nn.gguf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The parts of a block of weights: levels in groups. Each group has a scale and optionally an offset or a zero point. A number
/// is `scale level`, `scale level + offset`, or `scale (level - zero)`.
///
/// In GGUF files a block of 32 is one group, whose scale and offset are 16-bit floats. A block of 256 has groups
/// of 16 or 32 with scales and offsets of few bits, which are multiples of 16-bit floats of the
/// block: `scale = d s`, `offset = -dmin t`.
///
/// Reused from block to block; confined to its reader.
///
/// @see "ggml's block formats; K-quants: Kawrakow 2023"
public final class WeightBlock {
    private static final ValueLayout.OfShort HALF =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle EIGHT =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /// Eight bytes, of which each is 1, is the lower half of a byte, or the lowest two bits.
    private static final long ONES = 0x0101_0101_0101_0101L;

    private static final long NIBBLES = 0xf * ONES;
    private static final long TWO_BITS = 3 * ONES;
    private static final long SIGNS = 0x8080_8080_8080_8080L;
    private static final int NIBBLE = 0xf;
    private static final int MINUS_ZERO = 8;
    private static final int MAX = 256;

    /// Twice the floats of four bits. ggml has one zero.
    private static final float[] FP4 = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

    /// Six times the next power of two is beyond 32-bit floats.
    private static final int MAX_EXPONENT = 252;

    private static final int MIN_GROUP = 16;

    private final byte[] levels = new byte[MAX];
    private final byte[] scales = new byte[MAX / MIN_GROUP];
    private final byte[] offsets = new byte[MAX / MIN_GROUP];
    private short unit;
    private short offsetUnit;
    private int exponent;
    private float scale;
    private int zero;
    private final byte[] data = new byte[MAX];

    /// Reads a block.
    ///
    /// @param type one with [GgufType#group]
    /// @param from the data
    /// @param at   first byte of the block
    public void read(GgufType type, MemorySegment from, long at) {
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, data, 0, type.bytes());
        scales[0] = 1;
        offsets[0] = 1;
        offsetUnit = 0;
        exponent = 0;
        switch (type) {
            case Q4_0 -> {
                unit = half(0);
                nibbles(2, 0, 16, 8);
            }
            case Q4_1 -> {
                unit = half(0);
                offsetUnit = half(2);
                nibbles(4, 0, 16, 0);
            }
            case Q5_0 -> {
                unit = half(0);
                fives(6, word(2), -16);
            }
            case Q5_1 -> {
                unit = half(0);
                offsetUnit = half(2);
                fives(8, word(4), 0);
            }
            case Q8_0 -> {
                unit = half(0);
                System.arraycopy(data, 2, levels, 0, type.block());
            }
            case Q2_K -> twos();
            case Q3_K -> threes();
            case Q4_K -> fours();
            case Q5_K -> fivesOf256();
            case Q6_K -> sixes();
            case MXFP4 -> {
                unit = 0;
                exponent = octet(0);
                floats(1);
            }
            case F32, F16, BF16 ->
                    throw new IllegalArgumentException(type + " has no levels with scales");
        }
    }

    /// Reads bytes of two codes: the lower halves are the first levels, the higher halves the next ones.
    ///
    /// @param at    first byte
    /// @param to    first level
    /// @param count number of bytes, a multiple of eight
    private void nibbles(int at, int to, int count, int zero) {
        for (int index = 0; index < count; index += Long.BYTES) {
            long both = eight(at + index);
            put(to + index, both & NIBBLES, zero);
            put(to + count + index, both >>> 4 & NIBBLES, zero);
        }
    }

    /// Stores eight levels: bytes of at most 63 minus a zero of at most 32.
    private void put(int to, long codes, int zero) {
        EIGHT.set(levels, to, codes + SIGNS - zero * ONES ^ SIGNS);
    }

    private long eight(int at) {
        return (long) EIGHT.get(data, at);
    }

    /// Reads codes of floats; ggml has one zero.
    private void floats(int at) {
        nibbles(at, 0, 16, 0);
        for (int index = 0; index < 32; index++) {
            levels[index] = levels[index] == MINUS_ZERO ? 0 : levels[index];
        }
    }

    /// @param high the fifth bits, one per number
    private void fives(int at, int high, int zero) {
        for (int index = 0; index < 16; index++) {
            int both = octet(at + index);
            levels[index] = (byte) ((both & NIBBLE | (high >>> index & 1) << 4) + zero);
            levels[index + 16] = (byte) ((both >> 4 | (high >>> index + 16 & 1) << 4) + zero);
        }
    }

    private void twos() {
        unit = half(80);
        offsetUnit = half(82);
        for (int group = 0; group < 16; group++) {
            scales[group] = (byte) (octet(group) & NIBBLE);
            offsets[group] = (byte) (octet(group) >> 4);
        }
        for (int index = 0; index < MAX; index++) {
            levels[index] = (byte) twoBits(16, index);
        }
    }

    private int twoBits(int at, int index) {
        return octet(at + index / 128 * 32 + index % 32) >> index % 128 / 32 * 2 & 3;
    }

    /// Reads six-bit scales of sixteen groups: four bits are in the first eight bytes, two in the
    /// last four.
    private void threes() {
        unit = half(108);
        for (int group = 0; group < 16; group++) {
            int low = octet(96 + group % 8) >> group / 8 * 4 & NIBBLE;
            int high = octet(104 + group % 4) >> group / 4 * 2 & 3;
            scales[group] = (byte) ((low | high << 4) - 32);
        }
        for (int index = 0; index < MAX; index++) {
            boolean high = (octet(index % 32) >> index / 32 & 1) == 1;
            levels[index] = (byte) (twoBits(32, index) - (high ? 0 : 4));
        }
    }

    /// Reads six-bit scales and offsets of eight groups: those of the first four are in the lower
    /// bits of a byte each.
    private void scalesOfEight() {
        unit = half(0);
        offsetUnit = half(2);
        int six = 4;
        for (int group = 0; group < 4; group++) {
            scales[group] = (byte) (octet(six + group) & 63);
            offsets[group] = (byte) (octet(six + group + 4) & 63);
            int low = octet(six + group + 8);
            scales[group + 4] = (byte) (low & NIBBLE | octet(six + group) >> 6 << 4);
            offsets[group + 4] = (byte) (low >> 4 | octet(six + group + 4) >> 6 << 4);
        }
    }

    private int nibbleOf64(int at, int index) {
        return octet(at + index / 64 * 32 + index % 32) >> index / 32 % 2 * 4 & NIBBLE;
    }

    private void fours() {
        scalesOfEight();
        for (int part = 0; part < 4; part++) {
            nibbles(16 + part * 32, part * 64, 32, 0);
        }
    }

    private void fivesOf256() {
        scalesOfEight();
        for (int index = 0; index < MAX; index++) {
            int high = octet(16 + index % 32) >> index / 32 & 1;
            levels[index] = (byte) (nibbleOf64(48, index) | high << 4);
        }
    }

    private void sixes() {
        unit = half(208);
        for (int group = 0; group < 16; group++) {
            scales[group] = data[192 + group];
        }
        for (int part = 0; part < 2; part++) {
            for (int index = 0; index < 32; index += Long.BYTES) {
                long first = eight(part * 64 + index);
                long second = eight(part * 64 + 32 + index);
                long high = eight(128 + part * 32 + index);
                int to = part * 128 + index;
                put(to, first & NIBBLES | (high & TWO_BITS) << 4, 32);
                put(to + 32, second & NIBBLES | (high >>> 2 & TWO_BITS) << 4, 32);
                put(to + 64, first >>> 4 & NIBBLES | (high >>> 4 & TWO_BITS) << 4, 32);
                put(to + 96, second >>> 4 & NIBBLES | (high >>> 6 & TWO_BITS) << 4, 32);
            }
        }
    }

    /// Returns the levels (only the first ones of the block are valid); for MXFP4 the codes of its
    /// floats.
    public byte[] levels() {
        return levels;
    }

    /// Returns the 16-bit float that group scales are multiples of; in a block of one group, the
    /// scale itself.
    public short unit() {
        return unit;
    }

    /// Returns the 16-bit float that group offsets are multiples of; in a block of one group, the
    /// offset itself.
    public short offsetUnit() {
        return offsetUnit;
    }

    /// Returns MXFP4's exponent, plus 127.
    public int exponent() {
        return exponent;
    }

    /// Returns whether the units are finite, and powers leave all products finite.
    public boolean finite() {
        return exponent <= MAX_EXPONENT
                && Float.isFinite(Float.float16ToFloat(unit))
                && Float.isFinite(Float.float16ToFloat(offsetUnit));
    }

    /// Returns a group's scale as a multiple of [#unit].
    public byte scale(int group) {
        return scales[group];
    }

    /// Returns a group's offset as a multiple of [#offsetUnit]; in a block of several groups it is
    /// subtracted.
    public byte offset(int group) {
        return offsets[group];
    }

    private short half(int at) {
        return (short) (octet(at) | data[at + 1] << Byte.SIZE);
    }

    private int word(int at) {
        return half(at) & 0xffff | half(at + 2) << Short.SIZE;
    }

    private int octet(int at) {
        return Byte.toUnsignedInt(data[at]);
    }

    /// Stores the scale and the zero point of a block with a 32-bit scale.
    public void setScale32(float newScale, int newZero) {
        scale = newScale;
        zero = newZero;
    }

    /// Stores the scale of a block with one 16-bit scale, or with an exponent.
    public void setScale16(short newUnit, int newExponent) {
        unit = newUnit;
        exponent = newExponent;
    }

    /// Returns the 32-bit scale.
    public float scale() {
        return scale;
    }

    /// Returns the zero point that goes with the 32-bit scale.
    public int zero() {
        return zero;
    }

    /// Reads a block and computes its numbers.
    ///
    /// @param at   first byte of the block
    /// @param into receives [GgufType#block] numbers
    /// @see "ggml's block formats; MXFP4: Open Compute Project 2023, microscaling formats"
    public void numbers(GgufType type, MemorySegment from, long at, float[] into) {
        switch (type) {
            case F32 -> into[0] = Float.intBitsToFloat(from.get(WORD, at));
            case F16 -> into[0] = Float.float16ToFloat(from.get(HALF, at));
            case BF16 -> into[0] = Float.intBitsToFloat(from.get(HALF, at) << Short.SIZE);
            default -> {
                read(type, from, at);
                if (type == GgufType.MXFP4) {
                    float factor = power(exponent);
                    for (int index = 0; index < type.block(); index++) {
                        into[index] = FP4[levels[index]] * factor;
                    }
                } else {
                    for (int group = 0; group < type.groups(); group++) {
                        group(type, group, into);
                    }
                }
            }
        }
    }

    private void group(GgufType type, int group, float[] into) {
        float factor = Float.float16ToFloat(unit) * scales[group];
        float stored = Float.float16ToFloat(offsetUnit) * offsets[group];
        float offset = type.groups() == 1 ? stored : -stored;
        int end = (group + 1) * type.group();
        for (int index = group * type.group(); index < end; index++) {
            into[index] =
                    type.offsets()
                            ? Math.fma(factor, (float) levels[index], offset)
                            : factor * levels[index];
        }
    }

    /// Returns half of two to the power of an 8-bit exponent.
    private static float power(int exponent) {
        return Float.intBitsToFloat(exponent < 2 ? 0x00200000 << exponent : exponent - 1 << 23);
    }
}
