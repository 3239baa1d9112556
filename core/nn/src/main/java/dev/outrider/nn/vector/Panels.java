package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;

import dev.outrider.nn.network.Precision;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/// A matrix `[outputs, columns]`, laid out for multiplication: panels of [Lanes#PANEL] outputs side by side, column after
/// column, so that a vector of weights belongs to as many outputs and no sum ever crosses its lanes. The last panel is filled up
/// with zeros. Thread-safe once it is filled.
abstract sealed class Panels permits Bfloat16Panels, BlockPanels {
    private static final int ALIGNMENT = 64;

    private final int outputs;
    private final int columns;

    Panels(int outputs, int columns) {
        this.outputs = outputs;
        this.columns = columns;
    }

    /// An empty matrix.
    static Panels of(Precision precision, int outputs, int columns, Arena arena) {
        return switch (precision) {
            case F32 -> new BlockPanels(new FloatBlocks(), outputs, columns, arena);
            case BF16 -> new Bfloat16Panels(outputs, columns, arena);
            case F16 -> new BlockPanels(new HalfBlocks(), outputs, columns, arena);
            case INT8 -> new BlockPanels(new ByteBlocks(), outputs, columns, arena);
            case INT4 -> new BlockPanels(new NibbleBlocks(), outputs, columns, arena);
        };
    }

    final int outputs() {
        return outputs;
    }

    final int columns() {
        return columns;
    }

    /// Number of panels.
    final int count() {
        return Math.ceilDiv(outputs, PANEL);
    }

    /// Numbers in a row of products, those of the last panel's filling included.
    final int stride() {
        return count() * PANEL;
    }

    /// Stores outputs.
    ///
    /// @param first of them
    /// @param rows  `[n, columns]` 32-bit floats in native byte order
    abstract void fill(int first, MemorySegment rows);

    /// An output's weights, as they multiply.
    abstract void read(int output, float[] into, int at);

    /// Multiplies rows by some panels.
    ///
    /// @param y       `[rows of the tiles, stride()]`
    /// @param scratch of this thread, [BlockPanels#SCRATCH] numbers
    abstract void multiply(TiledRows x, float[] y, int firstPanel, int endPanel, float[] scratch);

    /// What a maker makes in memory of its own, which is released if it fails.
    static <T> T owned(Function<Arena, T> maker) {
        var arena = Arena.ofShared();
        boolean made = false;
        try {
            var result = maker.apply(arena);
            made = true;
            return result;
        } finally {
            if (!made) {
                arena.close();
            }
        }
    }

    static MemorySegment allocate(Arena arena, long bytes) {
        return arena.allocate(bytes, ALIGNMENT);
    }
}
