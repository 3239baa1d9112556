package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.BlockPanels.BLOCK;
import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Four-bit integers from -8 to 7 and a scale for each output of the block, whose sign gives -8 to the number of the greatest
/// magnitude. A lane of a vector has four columns of two outputs.
final class NibbleBlocks implements BlockFormat {
    private static final int LEAST = -8;
    private static final int LARGEST = 7;
    private static final int COLUMNS_A_VECTOR = 4;
    private static final int NIBBLE = 0xf;

    /// What is stored for level 0.
    private static final int ZERO = 8;

    @Override
    public long bytes() {
        return BYTES + (long) BLOCK / COLUMNS_A_VECTOR * BYTES;
    }

    @Override
    public void pack(float[] numbers, MemorySegment memory, long at, int lane) {
        float extreme = 0;
        for (float number : numbers) {
            extreme = Math.abs(number) > Math.abs(extreme) ? number : extreme;
        }
        short half = Halves.ofFinite(extreme / LEAST);
        float scale = Float.float16ToFloat(half);
        memory.set(ValueLayout.JAVA_SHORT, at + 2L * PairLayout.place(lane), half);
        for (int column = 0; column < BLOCK; column++) {
            int level = scale == 0 ? 0 : Math.round(numbers[column] / scale);
            long place = place(at, lane, column);
            int shift = shift(lane, column);
            int kept = memory.get(ValueLayout.JAVA_INT, place) & ~(NIBBLE << shift);
            int bits = ZERO + Math.clamp(level, LEAST, LARGEST);
            memory.set(ValueLayout.JAVA_INT, place, kept | bits << shift);
        }
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        int four = memory.get(ValueLayout.JAVA_INT, place(at, lane, column));
        return ((four >>> shift(lane, column) & NIBBLE) - ZERO) * Halves.scale(memory, at, lane);
    }

    @Override
    public void unpack(MemorySegment memory, long at, float[] floats, int to) {
        var scales = IntVector.fromMemorySegment(INTS, memory, at, ORDER);
        var low = Halves.lower(scales);
        var high = Halves.upper(scales);
        for (int vector = 0; vector < BLOCK / COLUMNS_A_VECTOR; vector++) {
            var packed =
                    IntVector.fromMemorySegment(
                            INTS, memory, at + BYTES + (long) vector * BYTES, ORDER);
            int place = to + COLUMNS_A_VECTOR * vector * PANEL;
            // A loop, and not its steps written out: so many of them would not be compiled as one.
            for (int column = 0; column < COLUMNS_A_VECTOR; column++) {
                int next = place + column * PANEL;
                Levels.of(packed.and(NIBBLE), ZERO).mul(low).intoArray(floats, next);
                packed = packed.lanewise(VectorOperators.LSHR, 4);
                Levels.of(packed.and(NIBBLE), ZERO).mul(high).intoArray(floats, next + WIDTH);
                packed = packed.lanewise(VectorOperators.LSHR, 4);
            }
        }
    }

    private static long place(long at, int lane, int column) {
        return at + BYTES + (long) column / COLUMNS_A_VECTOR * BYTES + 4L * (lane % WIDTH);
    }

    private static int shift(int lane, int column) {
        return 8 * (column % COLUMNS_A_VECTOR) + 4 * (lane / WIDTH);
    }
}
