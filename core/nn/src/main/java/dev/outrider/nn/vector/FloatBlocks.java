package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;
import static dev.outrider.nn.vector.Panels.BLOCK;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// 32-bit floats.
final class FloatBlocks implements BlockFormat {
    @Override
    public boolean unrolled(int rows) {
        return false;
    }

    @Override
    public long bytes() {
        return (long) BLOCK * PANEL * Float.BYTES;
    }

    @Override
    public void pack(float[] numbers, MemorySegment memory, long at, int lane) {
        for (int column = 0; column < BLOCK; column++) {
            memory.set(ValueLayout.JAVA_FLOAT, place(at, lane, column), numbers[column]);
        }
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        return memory.get(ValueLayout.JAVA_FLOAT, place(at, lane, column));
    }

    @Override
    public FloatVector first(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return FloatVector.fromMemorySegment(FLOATS, memory, place(at, 0, column), ORDER);
    }

    @Override
    public FloatVector second(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return FloatVector.fromMemorySegment(FLOATS, memory, place(at, WIDTH, column), ORDER);
    }

    private static long place(long at, int lane, int column) {
        return at + ((long) column * PANEL + lane) * Float.BYTES;
    }
}
