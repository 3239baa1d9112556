package dev.outrider.nn.vector;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// How the numbers of a panel are kept: in blocks of [Panels#BLOCK] columns, one after another. A column is two vectors of
/// numbers, for the outputs of the panel's first and second half.
sealed interface BlockFormat permits FloatBlocks, PairBlocks, LevelBlocks, PlainByteBlocks {
    /// Bytes of a panel's block.
    long bytes();

    /// Whether blocks have a scale for each output.
    default boolean scaled() {
        return false;
    }

    /// Whether the compiler may unroll the loop over the columns of one row.
    default boolean unrolled() {
        return true;
    }

    /// Stores the numbers of one output.
    ///
    /// @param numbers [Panels#BLOCK] of them
    /// @param at      where the block begins
    /// @param lane    the output's place in the panel
    void pack(float[] numbers, MemorySegment memory, long at, int lane);

    /// A number as it multiplies.
    ///
    /// @param column counts from the block's first
    float number(MemorySegment memory, long at, int lane, int column);

    /// What both halves of a column are made of; zeros where they lie apart.
    ///
    /// @param at     where the block begins; blocks without scales follow each other as one
    /// @param column counts from the block's first
    default IntVector both(MemorySegment memory, long at, int column) {
        return IntVector.zero(Lanes.INTS);
    }

    /// A column of the panel's first half.
    ///
    /// @param both   what [#both] is
    /// @param scales what [#firstScales] is
    FloatVector first(
            MemorySegment memory, long at, int column, IntVector both, FloatVector scales);

    /// A column of the panel's second half.
    ///
    /// @param both   what [#both] is
    /// @param scales what [#secondScales] is
    FloatVector second(
            MemorySegment memory, long at, int column, IntVector both, FloatVector scales);

    /// The scales of the panel's first half.
    default FloatVector firstScales(MemorySegment memory, long at) {
        return FloatVector.zero(Lanes.FLOATS);
    }

    /// The scales of the panel's second half.
    default FloatVector secondScales(MemorySegment memory, long at) {
        return FloatVector.zero(Lanes.FLOATS);
    }
}
