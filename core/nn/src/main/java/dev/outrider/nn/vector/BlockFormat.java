package dev.outrider.nn.vector;

import java.lang.foreign.MemorySegment;

/// How a block of [BlockPanels#BLOCK] columns of a panel is kept.
sealed interface BlockFormat permits FloatBlocks, HalfBlocks, ByteBlocks, NibbleBlocks {
    /// Bytes of a panel's block.
    long bytes();

    /// Stores the numbers of one output.
    ///
    /// @param numbers [BlockPanels#BLOCK] of them
    /// @param at      where the block begins
    /// @param lane    the output's place in the panel
    void pack(float[] numbers, MemorySegment memory, long at, int lane);

    /// A number as it multiplies.
    ///
    /// @param column counts from the block's first
    float number(MemorySegment memory, long at, int lane, int column);

    /// Makes floats of all numbers of a block.
    ///
    /// @param floats gets them, `[BLOCK, PANEL]`
    void unpack(MemorySegment memory, long at, float[] floats, int to);
}
