package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Panels.BLOCK;

import dev.outrider.nn.checkpoint.HalfFloats;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Bfloat16 numbers: the upper half of a 32-bit float each.
final class Bfloat16Blocks implements PairBlocks {
    private static final int UPPER = 0xffff0000;

    @Override
    public boolean unrolled(int rows) {
        return rows > 1;
    }

    @Override
    public void pack(float[] numbers, MemorySegment memory, long at, int lane) {
        for (int column = 0; column < BLOCK; column++) {
            memory.set(
                    ValueLayout.JAVA_SHORT,
                    PairLayout.place(at, lane, column),
                    HalfFloats.toBfloat16(numbers[column]));
        }
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        return HalfFloats.fromBfloat16(
                memory.get(ValueLayout.JAVA_SHORT, PairLayout.place(at, lane, column)));
    }

    @Override
    public FloatVector first(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return both.lanewise(VectorOperators.LSHL, Short.SIZE).reinterpretAsFloats();
    }

    @Override
    public FloatVector second(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return both.and(UPPER).reinterpretAsFloats();
    }
}
