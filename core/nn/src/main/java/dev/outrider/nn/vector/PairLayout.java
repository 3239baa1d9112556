package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.IntVector;

/// Where 16-bit numbers of a panel's outputs lie, a vector of pairs for each column: those of the panel's first half in the
/// lower halves of the lanes, those of its second half in the upper ones.
final class PairLayout {
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
