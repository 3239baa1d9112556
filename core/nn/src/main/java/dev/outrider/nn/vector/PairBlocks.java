package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.WIDTH;
import static dev.outrider.nn.vector.Panels.BLOCK;

import dev.outrider.nn.checkpoint.HalfFloats;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// 16-bit numbers, a vector of pairs for each column.
sealed interface PairBlocks extends BlockFormat {
    @Override
    default long bytes() {
        return Panels.BLOCK * PairLayout.BYTES_A_COLUMN;
    }

    @Override
    default IntVector both(MemorySegment memory, long at, int column) {
        return PairLayout.column(memory, at, column);
    }

    /// Where 16-bit numbers of a panel's outputs lie, a vector of pairs for each column: those of the panel's first half in the
    /// lower halves of the lanes, those of its second half in the upper ones.
    static final class PairLayout {
        static final long BYTES_A_COLUMN = BYTES;

        private PairLayout() {}

        /// Where an output's number is, on a machine that keeps the lower half first.
        ///
        /// @param at   where column 0 is
        /// @param lane the output's place in the panel
        static long place(long at, int lane, int column) {
            return at + column * BYTES_A_COLUMN + (lane % WIDTH * 2 + lane / WIDTH) * 2L;
        }

        /// The pairs of a column.
        static IntVector column(MemorySegment memory, long at, int column) {
            return IntVector.fromMemorySegment(INTS, memory, at + column * BYTES_A_COLUMN, ORDER);
        }
    }

    /// IEEE 16-bit floats in pairs, as 32-bit ones.
    static final class Halves {
        /// What the exponent of a 16-bit float lacks when its bits are moved into a 32-bit one; works for subnormal numbers too.
        private static final float REBIAS = 0x1p112f;

        /// Bits by which a 16-bit float's exponent is narrower than a 32-bit one's.
        private static final int NARROWER = 3;

        /// Where its bits are then.
        private static final int SIGN_EXPONENT_FRACTION = 0x8fffe000;

        private Halves() {}

        /// Stores an output's number of a column, laid out as [PairLayout] says.
        static void put(MemorySegment memory, long at, int lane, int column, short half) {
            memory.set(ValueLayout.JAVA_SHORT, PairLayout.place(at, lane, column), half);
        }

        /// An output's number of a column.
        static float get(MemorySegment memory, long at, int lane, int column) {
            return Float.float16ToFloat(
                    memory.get(ValueLayout.JAVA_SHORT, PairLayout.place(at, lane, column)));
        }

        /// The lower halves.
        static FloatVector lower(IntVector pairs) {
            return upper(pairs.lanewise(VectorOperators.LSHL, Short.SIZE));
        }

        /// The upper halves.
        static FloatVector upper(IntVector pairs) {
            return pairs.lanewise(VectorOperators.ASHR, NARROWER)
                    .and(SIGN_EXPONENT_FRACTION)
                    .reinterpretAsFloats()
                    .mul(REBIAS);
        }
    }

    /// IEEE 16-bit floats.
    static final class HalfBlocks implements PairBlocks {
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

    /// Bfloat16 numbers: the upper half of a 32-bit float each.
    static final class Bfloat16Blocks implements PairBlocks {
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
}
