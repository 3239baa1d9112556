package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.BlockPanels.BLOCK;
import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Four-bit integers from -8 to 7 and a scale for each output of the block, whose sign gives -8 to the number of the greatest
/// magnitude. A lane of a vector has four columns of two outputs.
final class NibbleBlocks implements BlockFormat {
    private static final int LEAST = -8;
    private static final int LARGEST = 7;
    private static final int COLUMNS_A_VECTOR = 4;
    private static final int NIBBLE = 0xf;

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
            int bits = Math.clamp(level, LEAST, LARGEST) & NIBBLE;
            memory.set(ValueLayout.JAVA_INT, place, kept | bits << shift);
        }
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        int above = 28 - shift(lane, column);
        int level = memory.get(ValueLayout.JAVA_INT, place(at, lane, column)) << above >> 28;
        return level * Halves.scale(memory, at, lane);
    }

    @Override
    public void unpack(MemorySegment memory, long at, MemorySegment floats, long to) {
        var scales = IntVector.fromMemorySegment(INTS, memory, at, ORDER);
        var low = Halves.lower(scales);
        var high = Halves.upper(scales);
        for (int vector = 0; vector < BLOCK / COLUMNS_A_VECTOR; vector++) {
            var packed =
                    IntVector.fromMemorySegment(
                            INTS, memory, at + BYTES + (long) vector * BYTES, ORDER);
            long place = to + 2L * COLUMNS_A_VECTOR * vector * BYTES;
            level(packed, 28).mul(low).intoMemorySegment(floats, place, ORDER);
            level(packed, 24).mul(high).intoMemorySegment(floats, place + BYTES, ORDER);
            level(packed, 20).mul(low).intoMemorySegment(floats, place + 2L * BYTES, ORDER);
            level(packed, 16).mul(high).intoMemorySegment(floats, place + 3L * BYTES, ORDER);
            level(packed, 12).mul(low).intoMemorySegment(floats, place + 4L * BYTES, ORDER);
            level(packed, 8).mul(high).intoMemorySegment(floats, place + 5L * BYTES, ORDER);
            level(packed, 4).mul(low).intoMemorySegment(floats, place + 6L * BYTES, ORDER);
            level(packed, 0).mul(high).intoMemorySegment(floats, place + 7L * BYTES, ORDER);
        }
    }

    private static long place(long at, int lane, int column) {
        return at + BYTES + (long) column / COLUMNS_A_VECTOR * BYTES + 4L * (lane % WIDTH);
    }

    private static int shift(int lane, int column) {
        return 8 * (column % COLUMNS_A_VECTOR) + 4 * (lane / WIDTH);
    }

    /// The four bits that have so many above them.
    private static FloatVector level(IntVector packed, int above) {
        return (FloatVector)
                packed.lanewise(VectorOperators.LSHL, above)
                        .lanewise(VectorOperators.ASHR, 28)
                        .convert(VectorOperators.I2F, 0);
    }
}
