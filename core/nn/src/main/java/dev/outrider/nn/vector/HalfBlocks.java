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

/// IEEE 16-bit floats, a vector of pairs for each column.
final class HalfBlocks implements BlockFormat {
    @Override
    public long bytes() {
        return (long) BLOCK * BYTES;
    }

    @Override
    public void pack(float[] numbers, MemorySegment memory, long at, int lane) {
        for (int column = 0; column < BLOCK; column++) {
            memory.set(
                    ValueLayout.JAVA_SHORT,
                    at + (long) column * BYTES + 2L * PairLayout.place(lane),
                    Halves.ofFinite(numbers[column]));
        }
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        return Float.float16ToFloat(
                memory.get(
                        ValueLayout.JAVA_SHORT,
                        at + (long) column * BYTES + 2L * PairLayout.place(lane)));
    }

    @Override
    public void unpack(MemorySegment memory, long at, float[] floats, int to) {
        for (int column = 0; column < BLOCK; column++) {
            var pair = IntVector.fromMemorySegment(INTS, memory, at + (long) column * BYTES, ORDER);
            int place = to + column * PANEL;
            Halves.lower(pair).intoArray(floats, place);
            Halves.upper(pair).intoArray(floats, place + WIDTH);
        }
    }
}
