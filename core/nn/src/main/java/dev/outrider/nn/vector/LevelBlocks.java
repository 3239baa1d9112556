package dev.outrider.nn.vector;

import dev.outrider.nn.checkpoint.Levels;
import java.lang.foreign.MemorySegment;

/// Levels behind a 16-bit scale for each output of the block.
sealed interface LevelBlocks extends BlockFormat permits ByteBlocks, NibbleBlocks {
    /// What they are.
    Levels levels();

    /// Stores a level of one output.
    void put(MemorySegment memory, long at, int lane, int column, byte level);

    /// Stores the scale and the levels of one output.
    ///
    /// @param half  the scale
    /// @param block [Panels#BLOCK] levels
    /// @param at    where the block begins
    /// @param lane  the output's place in the panel
    default void keep(short half, byte[] block, MemorySegment memory, long at, int lane) {
        Halves.put(memory, at, lane, 0, half);
        for (int column = 0; column < block.length; column++) {
            put(memory, at, lane, column, block[column]);
        }
    }

    @Override
    default void pack(float[] numbers, MemorySegment memory, long at, int lane) {
        var block = new byte[Panels.BLOCK];
        keep(levels().round(numbers, block), block, memory, at, lane);
    }
}
