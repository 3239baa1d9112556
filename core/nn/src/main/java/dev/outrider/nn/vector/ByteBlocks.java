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

/// Eight-bit integers and a scale for each output of the block. A lane of a vector has two columns of two outputs.
final class ByteBlocks implements BlockFormat {
    private static final int LARGEST = 127;
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
                    (byte) Math.clamp(level, -LARGEST, LARGEST));
        }
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        return memory.get(ValueLayout.JAVA_BYTE, place(at, lane, column))
                * Halves.scale(memory, at, lane);
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
            level(packed, 24).mul(low).intoMemorySegment(floats, place, ORDER);
            level(packed, 16).mul(high).intoMemorySegment(floats, place + BYTES, ORDER);
            level(packed, 8).mul(low).intoMemorySegment(floats, place + 2L * BYTES, ORDER);
            level(packed, 0).mul(high).intoMemorySegment(floats, place + 3L * BYTES, ORDER);
        }
    }

    private static long place(long at, int lane, int column) {
        long vector = at + BYTES + (long) column / COLUMNS_A_VECTOR * BYTES;
        return vector + 4L * (lane % WIDTH) + 2L * (column % COLUMNS_A_VECTOR) + lane / WIDTH;
    }

    /// The byte that has so many bits above it.
    private static FloatVector level(IntVector packed, int above) {
        return (FloatVector)
                packed.lanewise(VectorOperators.LSHL, above)
                        .lanewise(VectorOperators.ASHR, 24)
                        .convert(VectorOperators.I2F, 0);
    }
}
