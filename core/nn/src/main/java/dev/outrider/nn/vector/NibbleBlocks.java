package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.WIDTH;
import static dev.outrider.nn.vector.Panels.BLOCK;

import dev.outrider.nn.checkpoint.Levels;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Four-bit integers from -8 to 7 behind a 16-bit scale for each output of the block, whose sign gives -8 to the number of the
/// greatest magnitude. A byte has a column's numbers for an output of the panel's first half, in its lower bits, and for one of
/// its second half.
final class NibbleBlocks implements LevelBlocks {
    private static final int BITS = 4;
    private static final int NIBBLE = 0xf;

    /// What is stored for level 0.
    private static final int ZERO = 8;

    @Override
    public long bytes() {
        return SCALES + (long) BLOCK * WIDTH;
    }

    @Override
    public Levels levels() {
        return Levels.FOUR_BITS;
    }

    @Override
    public void put(MemorySegment memory, long at, int lane, int column, byte level) {
        long place = place(at, lane, column);
        int kept = memory.get(ValueLayout.JAVA_BYTE, place) & ~(NIBBLE << shift(lane));
        memory.set(ValueLayout.JAVA_BYTE, place, (byte) (kept | ZERO + level << shift(lane)));
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        int two = memory.get(ValueLayout.JAVA_BYTE, place(at, lane, column));
        return ((two >> shift(lane) & NIBBLE) - ZERO) * Halves.get(memory, at, lane, 0);
    }

    @Override
    public IntVector both(MemorySegment memory, long at, int column) {
        return (IntVector)
                ByteVector.fromMemorySegment(ByteBlocks.BYTES, memory, place(at, 0, column), ORDER)
                        .convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
    }

    @Override
    public FloatVector first(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return numbers(both.and(NIBBLE), scales);
    }

    @Override
    public FloatVector second(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return numbers(both.lanewise(VectorOperators.LSHR, BITS), scales);
    }

    private static FloatVector numbers(IntVector stored, FloatVector scales) {
        return ((FloatVector) stored.convert(VectorOperators.I2F, 0))
                .fma(scales, scales.mul(-ZERO));
    }

    private static long place(long at, int lane, int column) {
        return at + SCALES + (long) column * WIDTH + lane % WIDTH;
    }

    private static int shift(int lane) {
        return BITS * (lane / WIDTH);
    }
}
