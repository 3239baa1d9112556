package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;

import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.checkpoint.PackedMatrix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Function;

/// A matrix `[outputs, columns]`, laid out for multiplication: panels of [Lanes#PANEL] outputs side by side, column after
/// column, so that a vector of weights belongs to as many outputs and no sum ever crosses its lanes. The last panel and the
/// last block are filled up with zeros. Thread-safe once it is filled.
final class Panels implements Matrix {
    /// Columns of a block.
    static final int BLOCK = Levels.BLOCK;

    private static final int ALIGNMENT = 64;

    /// Panels that all tiles are multiplied by before the next come: few, so that they stay in the cache.
    private static final int AT_ONCE = 2;

    private final PanelFormat format;
    private final int outputs;
    private final int columns;
    private final MemorySegment memory;

    /// An empty matrix.
    Panels(PanelFormat format, int outputs, int columns, Arena arena) {
        format.rehearse();
        this.format = format;
        this.outputs = outputs;
        this.columns = columns;
        memory = allocate(arena, place(count(), 0) + ByteBlocks.BEYOND);
    }

    @Override
    public int outputs() {
        return outputs;
    }

    @Override
    public int columns() {
        return columns;
    }

    /// Number of panels.
    int count() {
        return Math.ceilDiv(outputs, PANEL);
    }

    @Override
    public int stride() {
        return count() * PANEL;
    }

    private int blocks() {
        return Math.ceilDiv(columns, BLOCK);
    }

    private long place(int panel, int block) {
        return ((long) panel * blocks() + block) * format.blocks().bytes();
    }

    @Override
    public void fill(int first, MemorySegment rows) {
        int count = Math.toIntExact(rows.byteSize() / ((long) columns * Float.BYTES));
        var block = new float[BLOCK];
        for (int row = 0; row < count; row++) {
            int output = first + row;
            for (int index = 0; index < blocks(); index++) {
                int from = index * BLOCK;
                int kept = Math.min(BLOCK, columns - from);
                Arrays.fill(block, 0);
                long at = ((long) row * columns + from) * Float.BYTES;
                MemorySegment.copy(rows, ValueLayout.JAVA_FLOAT, at, block, 0, kept);
                format.blocks().pack(block, memory, place(output / PANEL, index), output % PANEL);
            }
        }
    }

    @Override
    public void fill(int first, PackedMatrix rows) {
        if (!(format.blocks() instanceof LevelBlocks blocks) || blocks.levels() != rows.levels()) {
            throw new IllegalArgumentException(
                    "panels of %s do not keep %s".formatted(format, rows.levels()));
        }
        var block = new byte[BLOCK];
        for (int row = 0; row < rows.rows(); row++) {
            int output = first + row;
            for (int index = 0; index < blocks(); index++) {
                short scale = rows.get(row, index, block);
                blocks.keep(scale, block, memory, place(output / PANEL, index), output % PANEL);
            }
        }
    }

    @Override
    public void read(int output, float[] into, int at) {
        for (int column = 0; column < columns; column++) {
            long block = place(output / PANEL, column / BLOCK);
            into[at + column] =
                    format.blocks().number(memory, block, output % PANEL, column % BLOCK);
        }
    }

    @Override
    public void multiply(InputRows x, float[] y, Workspace workspace) {
        var tiles = x.tiled();
        workspace.team().run(count(), (_, from, end) -> multiply(tiles, y, from, end, 0, columns));
    }

    /// Multiplies rows by some columns of some panels.
    ///
    /// @param y      `[rows of the tiles, stride()]`
    /// @param column the first, a multiple of [#BLOCK]
    /// @param width  how many columns
    void multiply(TiledRows x, float[] y, int firstPanel, int endPanel, int column, int width) {
        for (int panel = firstPanel; panel < endPanel; panel += AT_ONCE) {
            for (int tile = 0; tile < x.tiles(); tile++) {
                format.tiles()
                        .multiply(
                                memory,
                                place(panel, column / BLOCK),
                                place(1, 0),
                                Math.min(AT_ONCE, endPanel - panel),
                                x.numbers(),
                                x.offset(tile) + column * x.height(tile),
                                x.height(tile),
                                y,
                                x.firstRow(tile) * stride() + panel * PANEL,
                                stride(),
                                width);
            }
        }
    }

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
