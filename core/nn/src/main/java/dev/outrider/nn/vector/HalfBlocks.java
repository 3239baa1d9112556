package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Panels.BLOCK;

import dev.outrider.nn.checkpoint.HalfFloats;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// IEEE 16-bit floats.
final class HalfBlocks implements PairBlocks {
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
    public FloatVector first(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return Halves.lower(both);
    }

    @Override
    public FloatVector second(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return Halves.upper(both);
    }
}
