package dev.outrider.nn.vector;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.IntVector;

/// 16-bit numbers, a vector of pairs for each column.
sealed interface PairBlocks extends BlockFormat permits Bfloat16Blocks, HalfBlocks {
    @Override
    default long bytes() {
        return Panels.BLOCK * PairLayout.BYTES_A_COLUMN;
    }

    @Override
    default IntVector both(MemorySegment memory, long at, int column) {
        return PairLayout.column(memory, at, column);
    }
}
