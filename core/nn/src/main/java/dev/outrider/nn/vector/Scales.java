package dev.outrider.nn.vector;

import java.lang.foreign.MemorySegment;

/// Scales of the panels that are multiplied next. Reused; one thread's.
///
/// They are made before the loops over columns, not within: what makes them of some formats is so much code that the compiler
/// would leave it out of the loop, and a call there makes an object of every vector.
final class Scales {
    private float[] numbers = new float[0];

    /// Makes them.
    ///
    /// @param from    first byte of the first panel
    /// @param size    bytes of a panel
    /// @param columns of the panels that are multiplied
    /// @return as [Tiles#multiply] takes them, good until the next call
    float[] of(
            BlockFormat format,
            MemorySegment memory,
            long from,
            long size,
            int panels,
            int columns) {
        if (format.scaleRows() == 0) {
            return numbers;
        }
        int groups = Math.ceilDiv(columns, format.group());
        int each = groups * format.scaleRows() * Lanes.PANEL;
        if (numbers.length < panels * each) {
            numbers = new float[panels * each];
        }
        for (int panel = 0; panel < panels; panel++) {
            format.scales(memory, from + panel * size, groups, numbers, panel * each);
        }
        return numbers;
    }
}
