package dev.outrider.nn.vector;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// How the numbers of a panel are kept: in blocks of some columns, one after another. A column is two vectors of
/// numbers, for the outputs of the panel's first and second half.
sealed interface BlockFormat
        permits FloatBlocks, PairBlocks, LevelBlocks, PlainByteBlocks, GroupBlocks, ScaledBlocks {
    /// Columns of a block.
    default int columns() {
        return Panels.BLOCK;
    }

    /// Bytes of a panel's block.
    long bytes();

    /// Whether blocks have a scale for each output.
    default boolean scaled() {
        return false;
    }

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

    /// Whether the compiler may unroll the loop over the columns of one row.
    default boolean unrolled() {
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
    /// @param scales  what [#firstScales] is
    /// @param offsets what [#firstOffsets] is
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
    /// @param scales  what [#secondScales] is
    /// @param offsets what [#secondOffsets] is
    FloatVector second(
            MemorySegment memory,
            long at,
            int column,
            IntVector both,
            FloatVector scales,
            FloatVector offsets);

    /// The scales of the panel's first half.
    ///
    /// @param from  where the panel begins
    /// @param group counts from the panel's first
    default FloatVector firstScales(MemorySegment memory, long from, int group) {
        return FloatVector.zero(Lanes.FLOATS);
    }

    /// The scales of the panel's second half.
    ///
    /// @param from  where the panel begins
    /// @param group counts from the panel's first
    default FloatVector secondScales(MemorySegment memory, long from, int group) {
        return FloatVector.zero(Lanes.FLOATS);
    }

    /// What is added to the numbers of the panel's first half.
    ///
    /// @param from  where the panel begins
    /// @param group counts from the panel's first
    default FloatVector firstOffsets(MemorySegment memory, long from, int group) {
        return FloatVector.zero(Lanes.FLOATS);
    }

    /// What is added to the numbers of the panel's second half.
    ///
    /// @param from  where the panel begins
    /// @param group counts from the panel's first
    default FloatVector secondOffsets(MemorySegment memory, long from, int group) {
        return FloatVector.zero(Lanes.FLOATS);
    }
}
