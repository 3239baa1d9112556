package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;
import static dev.outrider.nn.vector.Panels.BLOCK;

import dev.outrider.nn.checkpoint.Levels;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// Eight-bit integers from -127 to 127 behind a 16-bit scale for each output of the block.
final class ByteBlocks implements LevelBlocks {
    /// As many bytes as floats have lanes; the narrowest vector has more, of which the first count.
    static final VectorSpecies<Byte> BYTES =
            VectorSpecies.of(
                    byte.class,
                    VectorShape.forBitSize(
                            Math.max(VectorShape.S_64_BIT.vectorBitSize(), WIDTH * Byte.SIZE)));

    /// Bytes that the last column's vector reads beyond its block.
    static final long BEYOND = BYTES.length() - WIDTH;

    @Override
    public long bytes() {
        return SCALES + (long) BLOCK * PANEL;
    }

    @Override
    public Levels levels() {
        return Levels.EIGHT_BITS;
    }

    @Override
    public void put(MemorySegment memory, long at, int lane, int column, byte level) {
        memory.set(ValueLayout.JAVA_BYTE, place(at, lane, column), level);
    }

    @Override
    public float number(MemorySegment memory, long at, int lane, int column) {
        return memory.get(ValueLayout.JAVA_BYTE, place(at, lane, column))
                * Halves.get(memory, at, lane, 0);
    }

    @Override
    public FloatVector first(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return levels(memory, place(at, 0, column)).mul(scales);
    }

    @Override
    public FloatVector second(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets) {
        return levels(memory, place(at, WIDTH, column)).mul(scales);
    }

    /// Levels that follow each other.
    static FloatVector levels(MemorySegment memory, long place) {
        return (FloatVector)
                ByteVector.fromMemorySegment(BYTES, memory, place, ORDER)
                        .convertShape(VectorOperators.B2F, FLOATS, 0);
    }

    /// Bytes that follow each other, without a sign.
    static IntVector unsigned(MemorySegment memory, long place) {
        return (IntVector)
                ByteVector.fromMemorySegment(BYTES, memory, place, ORDER)
                        .convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
    }

    private static long place(long at, int lane, int column) {
        return at + SCALES + (long) column * PANEL + lane;
    }
}
