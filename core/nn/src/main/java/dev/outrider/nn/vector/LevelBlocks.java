package dev.outrider.nn.vector;

import dev.outrider.nn.checkpoint.Levels;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;

/// Levels behind a 16-bit scale for each output of the block.
sealed interface LevelBlocks extends BlockFormat permits ByteBlocks, NibbleBlocks {
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
    default boolean scaled() {
        return true;
    }

    @Override
    default FloatVector firstScales(MemorySegment memory, long from, int group) {
        return Halves.lower(PairLayout.column(memory, place(from, group), 0));
    }

    @Override
    default FloatVector secondScales(MemorySegment memory, long from, int group) {
        return Halves.upper(PairLayout.column(memory, place(from, group), 0));
    }

    @Override
    default void pack(float[] numbers, MemorySegment memory, long at, int lane) {
        var block = new byte[Panels.BLOCK];
        keep(levels().round(numbers, block), block, memory, at, lane);
    }
}
