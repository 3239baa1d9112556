package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.BlockPanels.BLOCK;
import static dev.outrider.nn.vector.Lanes.PANEL;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// 32-bit floats, as tiles take them.
final class FloatBlocks implements BlockFormat {
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
    public void unpack(MemorySegment memory, long at, float[] floats, int to) {
        MemorySegment.copy(memory, ValueLayout.JAVA_FLOAT, at, floats, to, BLOCK * PANEL);
    }

    private static long place(long at, int lane, int column) {
        return at + ((long) column * PANEL + lane) * Float.BYTES;
    }
}
