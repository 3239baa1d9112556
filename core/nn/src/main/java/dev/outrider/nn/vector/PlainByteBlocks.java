package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;
import static dev.outrider.nn.vector.Panels.BLOCK;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// Eight-bit integers without scales.
final class PlainByteBlocks implements BlockFormat {
    @Override
    public long bytes() {
        return (long) BLOCK * PANEL;
    }

    @Override
    public void pack(float[] numbers, MemorySegment memory, long at, int lane) {
        for (int column = 0; column < BLOCK; column++) {
            memory.set(ValueLayout.JAVA_BYTE, place(at, lane, column), (byte) numbers[column]);
        }
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        return memory.get(ValueLayout.JAVA_BYTE, place(at, lane, column));
    }

    @Override
    public FloatVector first(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return ByteBlocks.levels(memory, place(at, 0, column));
    }

    @Override
    public FloatVector second(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return ByteBlocks.levels(memory, place(at, WIDTH, column));
    }

    private static long place(long at, int lane, int column) {
        return at + (long) column * PANEL + lane;
    }
}
