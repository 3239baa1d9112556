package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Panels.BLOCK;

import dev.outrider.nn.checkpoint.HalfFloats;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// IEEE 16-bit floats, a vector of pairs for each column.
final class HalfBlocks implements BlockFormat {
    @Override
    public long bytes() {
        return BLOCK * PairLayout.BYTES_A_COLUMN;
    }

    @Override
    public boolean unrolled() {
        return false;
    }

    @Override
    public void pack(float[] numbers, MemorySegment memory, long at, int lane) {
        for (int column = 0; column < BLOCK; column++) {
            Halves.put(memory, at, lane, column, HalfFloats.toFiniteFloat16(numbers[column]));
        }
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        return Halves.get(memory, at, lane, column);
    }

    @Override
    public IntVector both(MemorySegment memory, long at, int column) {
        return PairLayout.column(memory, at, column);
    }

    @Override
    public FloatVector first(
            MemorySegment memory, long at, int column, IntVector both, FloatVector scales) {
        return Halves.lower(both);
    }

    @Override
    public FloatVector second(
            MemorySegment memory, long at, int column, IntVector both, FloatVector scales) {
        return Halves.upper(both);
    }
}
