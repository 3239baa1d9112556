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

/// Eight-bit integers and a scale for each output of the block. A lane of a vector has two columns of two outputs.
final class ByteBlocks implements BlockFormat {
    private static final int LARGEST = 127;
    private static final int BYTE = 0xff;

    /// What is stored for level 0.
    private static final int ZERO = 128;

    private static final int COLUMNS_A_VECTOR = 2;

    @Override
    public long bytes() {
        return BYTES + (long) BLOCK / COLUMNS_A_VECTOR * BYTES;
    }

    @Override
    public void pack(float[] numbers, MemorySegment memory, long at, int lane) {
        float largest = 0;
        for (float number : numbers) {
            largest = Math.max(largest, Math.abs(number));
        }
        short half = Halves.ofFinite(largest / LARGEST);
        float scale = Float.float16ToFloat(half);
        memory.set(ValueLayout.JAVA_SHORT, at + 2L * PairLayout.place(lane), half);
        for (int column = 0; column < BLOCK; column++) {
            int level = scale == 0 ? 0 : Math.round(numbers[column] / scale);
            memory.set(
                    ValueLayout.JAVA_BYTE,
                    place(at, lane, column),
                    (byte) (ZERO + Math.clamp(level, -LARGEST, LARGEST)));
        }
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        int stored = memory.get(ValueLayout.JAVA_BYTE, place(at, lane, column)) & BYTE;
        return (stored - ZERO) * Halves.scale(memory, at, lane);
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
                Levels.of(packed.and(BYTE), ZERO).mul(low).intoArray(floats, next);
                packed = packed.lanewise(VectorOperators.LSHR, 8);
                Levels.of(packed.and(BYTE), ZERO).mul(high).intoArray(floats, next + WIDTH);
                packed = packed.lanewise(VectorOperators.LSHR, 8);
            }
        }
    }

    private static long place(long at, int lane, int column) {
        long vector = at + BYTES + (long) column / COLUMNS_A_VECTOR * BYTES;
        return vector + 4L * (lane % WIDTH) + 2L * (column % COLUMNS_A_VECTOR) + lane / WIDTH;
    }
}
