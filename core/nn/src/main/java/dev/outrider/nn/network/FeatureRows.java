package dev.outrider.nn.network;

import dev.outrider.common.Require;
import java.lang.foreign.MemorySegment;

/// The features of the rows of a draft layer's pass.
///
/// @param memory row-major 32-bit floats in native byte order, native memory; not changed
/// @param rows   number of rows
/// @param source their origin, which decides their width
public record FeatureRows(MemorySegment memory, int rows, Source source) {
    /// The origin of features.
    public enum Source {
        /// The target: the captured states of a row end to end.
        TARGET,
        /// The draft layer itself: a state that it has output.
        RECYCLED
    }

    public FeatureRows {
        Require.that(
                rows >= 1
                        && memory.byteSize() != 0
                        && memory.byteSize() % ((long) rows * Float.BYTES) == 0,
                "%d bytes are not %d rows of floats",
                memory.byteSize(),
                rows);
    }

    /// Returns the length of a row.
    public long width() {
        return memory.byteSize() / ((long) rows * Float.BYTES);
    }

    /// Returns a row.
    public MemorySegment row(int index) {
        return memory.asSlice(index * width() * Float.BYTES, width() * Float.BYTES);
    }

    /// Checks that the features fit a pass.
    public void check(int passRows, DecoderConfig config) {
        long expected =
                switch (source) {
                    case TARGET -> config.fusion().orElseThrow().capturedWidth();
                    case RECYCLED -> config.hiddenSize();
                };
        Require.that(
                rows == passRows && width() == expected,
                "%d rows of %d features for %d tokens; expected rows of %d from the %s",
                rows,
                width(),
                passRows,
                expected,
                source);
    }
}
