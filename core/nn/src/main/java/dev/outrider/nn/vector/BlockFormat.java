package dev.outrider.nn.vector;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// How the numbers of a panel are kept: in blocks of some columns, one after another. A column is two vectors of
/// numbers, for the outputs of the panel's first and second half.
sealed interface BlockFormat
        permits FloatBlocks,
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
}
