package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.checkpoint.GroupedMatrix;
import dev.outrider.nn.vector.LevelBlocks.ByteBlocks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Floats of four bits, two of the exponent and one of the fraction, behind a power of two for each output of the block, of which the
/// exponent is kept in a byte. The floats lie as integers do in [LevelBlocks.NibbleBlocks].
///
/// @see "Open Compute Project 2023, microscaling formats, MXFP4"
final class MicroscaledBlocks implements BlockFormat {
    private static final int COLUMNS = 32;
    private static final int BITS = 4;
    private static final int NIBBLE = 0xf;
    private static final int SIGN = 0x80000000;

    /// Twice what the eight floats without a sign are, 0 to 6, four bits each.
    private static final int DOUBLED = 0xc8643210;

    /// The lowest power, halved; halves of the two lowest have no exponent of their own.
    private static final int LOWEST = 0x00200000;

    private static final int FRACTION_BITS = 23;

    @Override
    public int columns() {
        return COLUMNS;
    }

    @Override
    public long bytes() {
        return PANEL + (long) COLUMNS * WIDTH;
    }

    @Override
    public int scaleRows() {
        return 1;
    }

    @Override
    public void pack(float[] numbers, MemorySegment memory, long at, int lane) {
        throw new IllegalStateException("blocks of MXFP4 are taken over, not made");
    }

    /// Stores an output's block.
    ///
    /// @param codes    a row's
    /// @param from     the block's first
    /// @param exponent of the power, moved up by 127
    /// @param at       where the panel's block begins
    /// @param lane     the output's place in the panel
    void keep(byte[] codes, int from, int exponent, MemorySegment memory, long at, int lane) {
        memory.set(ValueLayout.JAVA_BYTE, at + lane, (byte) exponent);
        int shift = BITS * (lane / WIDTH);
        for (int column = 0; column < COLUMNS; column++) {
            long place = code(at, column) + lane % WIDTH;
            int kept = memory.get(ValueLayout.JAVA_BYTE, place) & ~(NIBBLE << shift);
            int code = codes[from + column] & NIBBLE;
            memory.set(ValueLayout.JAVA_BYTE, place, (byte) (kept | code << shift));
        }
    }

    private static long code(long at, int column) {
        return at + PANEL + (long) column * WIDTH;
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        int both = memory.get(ValueLayout.JAVA_BYTE, code(at, column) + lane % WIDTH);
        byte code = (byte) (both >> BITS * (lane / WIDTH) & NIBBLE);
        int exponent = Byte.toUnsignedInt(memory.get(ValueLayout.JAVA_BYTE, at + lane));
        return GroupedMatrix.level(GroupedMatrix.Kind.E2M1, code, 0)
                * GroupedMatrix.power(exponent);
    }

    @Override
    public IntVector both(MemorySegment memory, long at, int column) {
        return ByteBlocks.unsigned(memory, code(at, column));
    }

    @Override
    public FloatVector first(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return numbers(both.and(NIBBLE), scales);
    }

    @Override
    public FloatVector second(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return numbers(both.lanewise(VectorOperators.LSHR, BITS), scales);
    }

    private static FloatVector numbers(IntVector codes, FloatVector scales) {
        var places = codes.lanewise(VectorOperators.LSHL, 2).and(28);
        var sizes = IntVector.broadcast(INTS, DOUBLED).lanewise(VectorOperators.LSHR, places);
        var signs = codes.lanewise(VectorOperators.LSHL, Integer.SIZE - BITS).and(SIGN);
        return ((FloatVector) sizes.and(NIBBLE).convert(VectorOperators.I2F, 0))
                .reinterpretAsInts()
                .or(signs)
                .reinterpretAsFloats()
                .mul(scales);
    }

    @Override
    public void scales(MemorySegment memory, long from, int groups, float[] into, int at) {
        for (int group = 0; group < groups; group++) {
            for (int half = 0; half < PANEL; half += WIDTH) {
                halved(memory, place(from, group) + half)
                        .intoArray(into, at + group * PANEL + half);
            }
        }
    }

    private static FloatVector halved(MemorySegment memory, long at) {
        var exponents = ByteBlocks.unsigned(memory, at);
        var lowest = IntVector.broadcast(INTS, LOWEST).lanewise(VectorOperators.LSHL, exponents);
        return exponents
                .sub(1)
                .lanewise(VectorOperators.LSHL, FRACTION_BITS)
                .blend(lowest, exponents.compare(VectorOperators.LT, 2))
                .reinterpretAsFloats();
    }
}
