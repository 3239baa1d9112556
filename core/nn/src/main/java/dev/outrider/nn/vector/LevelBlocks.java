package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;
import static dev.outrider.nn.vector.Panels.BLOCK;

import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.vector.PairBlocks.Halves;
import dev.outrider.nn.vector.PairBlocks.PairLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// Levels behind a 16-bit scale for each output of the block.
sealed interface LevelBlocks extends BlockFormat {
    /// Bytes of the scales before the levels.
    long SCALES = PairLayout.BYTES_A_COLUMN;

    /// What they are.
    Levels levels();

    /// Stores a level of one output.
    void put(MemorySegment memory, long at, int lane, int column, byte level);

    /// Stores the scale and the levels of one output.
    ///
    /// @param half  the scale
    /// @param block levels, of which [Panels#BLOCK] count
    /// @param at    where the block begins
    /// @param lane  the output's place in the panel
    default void keep(short half, byte[] block, MemorySegment memory, long at, int lane) {
        Halves.put(memory, at, lane, 0, half);
        for (int column = 0; column < Panels.BLOCK; column++) {
            put(memory, at, lane, column, block[column]);
        }
    }

    @Override
    default int scaleRows() {
        return 1;
    }

    @Override
    default void scales(MemorySegment memory, long from, int groups, float[] into, int at) {
        for (int group = 0; group < groups; group++) {
            int to = at + group * PANEL;
            var pairs = PairLayout.column(memory, from + group * bytes(), 0);
            Halves.lower(pairs).intoArray(into, to);
            Halves.upper(pairs).intoArray(into, to + WIDTH);
        }
    }

    @Override
    default void pack(float[] numbers, MemorySegment memory, long at, int lane) {
        var block = new byte[Panels.BLOCK];
        keep(levels().round(numbers, block), block, memory, at, lane);
    }

    /// Eight-bit integers from -127 to 127 behind a 16-bit scale for each output of the block.
    static final class ByteBlocks implements LevelBlocks {
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

    /// Four-bit integers from -8 to 7 behind a 16-bit scale for each output of the block, whose sign gives -8 to the number of the
    /// greatest magnitude. A byte has a column's numbers for an output of the panel's first half, in its lower bits, and for one of
    /// its second half.
    static final class NibbleBlocks implements LevelBlocks {
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
                    ByteVector.fromMemorySegment(
                                    ByteBlocks.BYTES, memory, place(at, 0, column), ORDER)
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

    /// Eight-bit integers without scales.
    static final class PlainByteBlocks implements BlockFormat {
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
}
