package dev.outrider.nn.gguf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Makes numbers of blocks.
///
/// A block of 32 has a 16-bit scale `d`, in the `_1` formats an offset `m` too, and levels `q`: a number is `d q`, or `d q + m`. A block of
/// 256 is made of smaller ones that have scales, and mostly offsets, in few bits of their own: `d s q`, or `d s q - dmin t`.
///
/// @see "ggml's block formats; K-quants: Kawrakow 2023; MXFP4: Open Compute Project 2023, microscaling formats"
final class Dequantiser {
    private static final ValueLayout.OfShort HALF =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int NIBBLE = 0xf;
    private static final float[] FP4 = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

    private final MemorySegment data;

    /// @param data blocks
    Dequantiser(MemorySegment data) {
        this.data = data;
    }

    /// One block.
    ///
    /// @param at   where it begins
    /// @param into gets [GgufType#block] numbers
    void block(GgufType type, long at, float[] into) {
        switch (type) {
            case F32 -> into[0] = Float.intBitsToFloat(data.get(WORD, at));
            case F16 -> into[0] = half(at);
            case BF16 -> into[0] = Float.intBitsToFloat(data.get(HALF, at) << Short.SIZE);
            case Q4_0 -> nibbles(at + 2, half(at), -8, into);
            case Q4_1 -> nibblesAbove(at + 4, half(at), half(at + 2), into);
            case Q5_0 -> fives(at + 6, data.get(WORD, at + 2), half(at), 0, 16, into);
            case Q5_1 -> fives(at + 8, data.get(WORD, at + 4), half(at), half(at + 2), 0, into);
            case Q8_0 -> {
                float scale = half(at);
                for (int index = 0; index < 32; index++) {
                    into[index] = data.get(ValueLayout.JAVA_BYTE, at + 2 + index) * scale;
                }
            }
            case Q2_K -> twos(at, into);
            case Q3_K -> threes(at, into);
            case Q4_K -> fours(at, into);
            case Q5_K -> fivesOf256(at, into);
            case Q6_K -> sixes(at, into);
            case MXFP4 -> {
                float scale = power(octet(at));
                for (int index = 0; index < 16; index++) {
                    int both = octet(at + 1 + index);
                    into[index] = FP4[both & NIBBLE] * scale;
                    into[index + 16] = FP4[both >> 4] * scale;
                }
            }
        }
    }

    private void nibbles(long at, float scale, int zero, float[] into) {
        for (int index = 0; index < 16; index++) {
            int both = octet(at + index);
            into[index] = ((both & NIBBLE) + zero) * scale;
            into[index + 16] = ((both >> 4) + zero) * scale;
        }
    }

    private void nibblesAbove(long at, float scale, float offset, float[] into) {
        for (int index = 0; index < 16; index++) {
            int both = octet(at + index);
            into[index] = Math.fma((float) (both & NIBBLE), scale, offset);
            into[index + 16] = Math.fma((float) (both >> 4), scale, offset);
        }
    }

    /// @param high fifth bits, one a number
    /// @param zero level that stands for 0
    private void fives(long at, int high, float scale, float offset, int zero, float[] into) {
        for (int index = 0; index < 16; index++) {
            int both = octet(at + index);
            int first = both & NIBBLE | (high >>> index & 1) << 4;
            int second = both >> 4 | (high >>> index + 16 & 1) << 4;
            into[index] = sum(first - zero, scale, offset, zero == 0);
            into[index + 16] = sum(second - zero, scale, offset, zero == 0);
        }
    }

    private static float sum(int level, float scale, float offset, boolean above) {
        return above ? Math.fma((float) level, scale, offset) : level * scale;
    }

    private void twos(long at, float[] into) {
        float d = half(at + 80);
        float least = half(at + 82);
        for (int index = 0; index < 256; index++) {
            int group = index / 16;
            int scales = octet(at + group);
            int level = octet(at + 16 + index / 128 * 32 + index % 32) >> index % 128 / 32 * 2 & 3;
            into[index] = below(d * (scales & NIBBLE), level, least * (scales >> 4));
        }
    }

    /// Six-bit scales of sixteen groups: four bits in the first eight bytes, two in the last four.
    private int scaleOfThrees(long at, int group) {
        int low = octet(at + group % 8) >> group / 8 * 4 & NIBBLE;
        int high = octet(at + 8 + group % 4) >> group / 4 * 2 & 3;
        return (low | high << 4) - 32;
    }

    private void threes(long at, float[] into) {
        float d = half(at + 108);
        for (int index = 0; index < 256; index++) {
            int low = octet(at + 32 + index / 128 * 32 + index % 32) >> index % 128 / 32 * 2 & 3;
            boolean high = (octet(at + index % 32) >> index / 32 & 1) == 1;
            int level = low - (high ? 0 : 4);
            into[index] = d * scaleOfThrees(at + 96, index / 16) * level;
        }
    }

    /// Six-bit scales of eight groups: those of the first four lie in the lower bits of a byte each.
    private int scale(long at, int group) {
        return group < 4
                ? octet(at + group) & 63
                : octet(at + group + 4) & NIBBLE | octet(at + group - 4) >> 6 << 4;
    }

    private int offset(long at, int group) {
        return group < 4
                ? octet(at + group + 4) & 63
                : octet(at + group + 4) >> 4 | octet(at + group) >> 6 << 4;
    }

    private void fours(long at, float[] into) {
        for (int index = 0; index < 256; index++) {
            int group = index / 32;
            int level = octet(at + 16 + index / 64 * 32 + index % 32) >> group % 2 * 4 & NIBBLE;
            into[index] = ofGroup(at, group, level);
        }
    }

    private void fivesOf256(long at, float[] into) {
        for (int index = 0; index < 256; index++) {
            int group = index / 32;
            int low = octet(at + 48 + index / 64 * 32 + index % 32) >> group % 2 * 4 & NIBBLE;
            int high = octet(at + 16 + index % 32) >> group & 1;
            into[index] = ofGroup(at, group, low | high << 4);
        }
    }

    private float ofGroup(long at, int group, int level) {
        return below(
                half(at) * scale(at + 4, group), level, half(at + 2) * offset(at + 4, group));
    }

    private void sixes(long at, float[] into) {
        float d = half(at + 208);
        for (int index = 0; index < 256; index++) {
            int part = index / 128;
            int quarter = index % 128 / 32;
            int place = index % 32;
            int low =
                    octet(at + part * 64 + quarter % 2 * 32 + place) >> quarter / 2 * 4 & NIBBLE;
            int high = octet(at + 128 + part * 32 + place) >> quarter * 2 & 3;
            byte scale = data.get(ValueLayout.JAVA_BYTE, at + 192 + index / 16);
            into[index] = d * scale * ((low | high << 4) - 32);
        }
    }

    private static float below(float scale, int level, float offset) {
        return Math.fma(scale, (float) level, -offset);
    }

    /// Half of two to the power of an exponent of eight bits.
    private static float power(int exponent) {
        return Float.intBitsToFloat(exponent < 2 ? 0x00200000 << exponent : exponent - 1 << 23);
    }

    private float half(long at) {
        return Float.float16ToFloat(data.get(HALF, at));
    }

    private int octet(long at) {
        return Byte.toUnsignedInt(data.get(ValueLayout.JAVA_BYTE, at));
    }
}
