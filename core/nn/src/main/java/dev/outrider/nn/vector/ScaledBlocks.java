package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.checkpoint.GroupedMatrix;
import dev.outrider.nn.vector.LevelBlocks.ByteBlocks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Integers of four or eight bits, or floats of eight, behind a 32-bit scale for each output of the block and, for integers, the one
/// that stands for 0: `(code - zero) scale`, rounded once. Integers of four bits lie as in [LevelBlocks.NibbleBlocks].
///
/// A record, whose fields the compiler takes for constants.
///
/// @param kind  what they are
/// @param width columns of a block
record ScaledBlocks(GroupedMatrix.Kind kind, int width) implements BlockFormat {
    private static final int BITS = 4;
    private static final int NIBBLE = 0xf;
    private static final long SCALES = (long) PANEL * Float.BYTES;

    /// Bits by which a float of eight bits is moved to where a 32-bit one has exponent and fraction, where those are then, and what
    /// the exponent lacks there.
    private static final int SHIFT = 20;

    private static final int EXPONENT_FRACTION = 0x07f00000;
    private static final int SIGN = 0x80000000;
    private static final float REBIAS = 0x1p120f;

    @Override
    public int columns() {
        return width;
    }

    @Override
    public long bytes() {
        return header() + width * columnBytes();
    }

    private boolean nibbles() {
        return kind == GroupedMatrix.Kind.NIBBLE;
    }

    private boolean integers() {
        return kind != GroupedMatrix.Kind.E4M3;
    }

    private long header() {
        return SCALES + (integers() ? PANEL : 0);
    }

    private long columnBytes() {
        return nibbles() ? WIDTH : PANEL;
    }

    @Override
    public int scaleRows() {
        return integers() ? 2 : 1;
    }

    @Override
    public void pack(float[] numbers, MemorySegment memory, long at, int lane) {
        throw new IllegalStateException("codes of %s are taken over, not made".formatted(kind));
    }

    /// Stores an output's block.
    ///
    /// @param codes a row's
    /// @param from  the block's first
    /// @param at    where the panel's block begins
    /// @param lane  the output's place in the panel
    void keep(
            byte[] codes,
            int from,
            float scale,
            int zero,
            MemorySegment memory,
            long at,
            int lane) {
        memory.set(ValueLayout.JAVA_FLOAT, at + (long) lane * Float.BYTES, scale);
        if (integers()) {
            memory.set(ValueLayout.JAVA_BYTE, at + SCALES + lane, (byte) zero);
        }
        for (int column = 0; column < Math.min(width, codes.length - from); column++) {
            long place = code(at, lane, column);
            int code = codes[from + column];
            if (nibbles()) {
                int kept = memory.get(ValueLayout.JAVA_BYTE, place) & ~(NIBBLE << shift(lane));
                code = kept | (code & NIBBLE) << shift(lane);
            }
            memory.set(ValueLayout.JAVA_BYTE, place, (byte) code);
        }
    }

    private long code(long at, int lane, int column) {
        return at + header() + column * columnBytes() + (nibbles() ? lane % WIDTH : lane);
    }

    private static int shift(int lane) {
        return BITS * (lane / WIDTH);
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        int code = memory.get(ValueLayout.JAVA_BYTE, code(at, lane, column));
        if (nibbles()) {
            code = code >> shift(lane) & NIBBLE;
        }
        int zero =
                integers()
                        ? Byte.toUnsignedInt(memory.get(ValueLayout.JAVA_BYTE, at + SCALES + lane))
                        : 0;
        return GroupedMatrix.level(kind, (byte) code, zero)
                * memory.get(ValueLayout.JAVA_FLOAT, at + (long) lane * Float.BYTES);
    }

    @Override
    public IntVector both(MemorySegment memory, long at, int column) {
        return nibbles() ? ByteBlocks.unsigned(memory, code(at, 0, column)) : IntVector.zero(INTS);
    }

    @Override
    public FloatVector first(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return nibbles()
                ? numbers(both.and(NIBBLE), scales, offsets)
                : numbers(ByteBlocks.unsigned(memory, code(at, 0, column)), scales, offsets);
    }

    @Override
    public FloatVector second(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return nibbles()
                ? numbers(both.lanewise(VectorOperators.LSHR, BITS), scales, offsets)
                : numbers(ByteBlocks.unsigned(memory, code(at, WIDTH, column)), scales, offsets);
    }

    private FloatVector numbers(IntVector codes, FloatVector scales, FloatVector zeros) {
        if (integers()) {
            return ((FloatVector) codes.convert(VectorOperators.I2F, 0)).sub(zeros).mul(scales);
        }
        return codes.lanewise(VectorOperators.LSHL, SHIFT)
                .and(EXPONENT_FRACTION)
                .or(codes.lanewise(VectorOperators.LSHL, Integer.SIZE - Byte.SIZE).and(SIGN))
                .reinterpretAsFloats()
                .mul(REBIAS)
                .mul(scales);
    }

    @Override
    public void scales(MemorySegment memory, long from, int groups, float[] into, int at) {
        int to = at;
        for (int group = 0; group < groups; group++) {
            long block = from + group * bytes();
            for (int half = 0; half < PANEL; half += WIDTH) {
                long scales = block + (long) half * Float.BYTES;
                FloatVector.fromMemorySegment(FLOATS, memory, scales, ORDER)
                        .intoArray(into, to + half);
                if (integers()) {
                    var zeros = ByteBlocks.unsigned(memory, block + SCALES + half);
                    ((FloatVector) zeros.convert(VectorOperators.I2F, 0))
                            .intoArray(into, to + PANEL + half);
                }
            }
            to += scaleRows() * PANEL;
        }
    }
}
