package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.checkpoint.Levels;
import java.lang.foreign.MemorySegment;

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
}
