package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;
import static dev.outrider.nn.vector.Panels.BLOCK;

import dev.outrider.nn.vector.LevelBlocks.PlainByteBlocks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// How the numbers of a panel are kept: in blocks of some columns, one after another. A column is two vectors of
/// numbers, for the outputs of the panel's first and second half.
sealed interface BlockFormat
        permits BlockFormat.FloatBlocks,
                PairBlocks,
                LevelBlocks,
                PlainByteBlocks,
                GroupBlocks,
                ScaledBlocks,
                MicroscaledBlocks {
    /// Columns of a block.
    default int columns() {
        return Panels.BLOCK;
    }

    /// Bytes of a panel's block.
    long bytes();

    /// Rows of scales that each group has: none; one of scales; or that and one of what goes with them.
    default int scaleRows() {
        return 0;
    }

    /// Makes the scales of a panel's first groups.
    ///
    /// @param from where the panel begins
    /// @param into gets `[groups, scaleRows(), PANEL]`
    default void scales(MemorySegment memory, long from, int groups, float[] into, int at) {}

    /// Columns that have the same scales.
    default int group() {
        return columns();
    }

    /// Where the columns of a group are.
    ///
    /// @param from  where the panel begins
    /// @param group counts from the panel's first
    default long place(long from, int group) {
        return from + group * bytes();
    }

    /// Whether the compiler may unroll the loop over the columns.
    ///
    /// @param rows that are multiplied, 1 or 2
    default boolean unrolled(int rows) {
        return true;
    }

    /// Stores the numbers of one output.
    ///
    /// @param numbers of a block
    /// @param at      where the block begins
    /// @param lane    the output's place in the panel
    void pack(float[] numbers, MemorySegment memory, long at, int lane);

    /// A number as it multiplies.
    ///
    /// @param column counts from the block's first
    float number(MemorySegment memory, long at, int lane, int column);

    /// What both halves of a column are made of; zeros where they lie apart.
    ///
    /// @param at     what [#place] is; blocks without scales follow each other as one
    /// @param column counts from the group's first
    default IntVector both(MemorySegment memory, long at, int column) {
        return IntVector.zero(Lanes.INTS);
    }

    /// A column of the panel's first half.
    ///
    /// @param both    what [#both] is
    /// @param scales  the half's first row of scales
    /// @param offsets its second
    FloatVector first(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets);

    /// A column of the panel's second half.
    ///
    /// @param both    what [#both] is
    /// @param scales  the half's first row of scales
    /// @param offsets its second
    FloatVector second(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets);

    /// 32-bit floats.
    static final class FloatBlocks implements BlockFormat {
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
}
