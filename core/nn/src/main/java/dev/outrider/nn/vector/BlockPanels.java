package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// A matrix whose numbers are kept in blocks of 32 columns. A few blocks of a panel at a time become floats in the first-level
/// cache, which all rows are then multiplied by.
final class BlockPanels extends Panels {
    /// Columns of a block.
    static final int BLOCK = 32;

    private static final int BLOCKS_AT_ONCE = 2;

    /// What a thread needs for the floats.
    static final int SCRATCH = BLOCKS_AT_ONCE * BLOCK * PANEL;

    private final BlockFormat format;
    private final MemorySegment memory;

    BlockPanels(BlockFormat format, int outputs, int columns, Arena arena) {
        super(outputs, columns);
        this.format = format;
        memory = allocate(arena, (long) count() * blocks() * format.bytes());
    }

    private int blocks() {
        return Math.ceilDiv(columns(), BLOCK);
    }

    private long place(int panel, int block) {
        return ((long) panel * blocks() + block) * format.bytes();
    }

    @Override
    void fill(int first, MemorySegment rows) {
        int count = Math.toIntExact(rows.byteSize() / ((long) columns() * Float.BYTES));
        var block = new float[BLOCK];
        for (int row = 0; row < count; row++) {
            int output = first + row;
            for (int index = 0; index < blocks(); index++) {
                int from = index * BLOCK;
                int kept = Math.min(BLOCK, columns() - from);
                Arrays.fill(block, 0);
                MemorySegment.copy(
                        rows,
                        ValueLayout.JAVA_FLOAT,
                        ((long) row * columns() + from) * Float.BYTES,
                        block,
                        0,
                        kept);
                format.pack(block, memory, place(output / PANEL, index), output % PANEL);
            }
        }
    }

    @Override
    void read(int output, float[] into, int at) {
        for (int column = 0; column < columns(); column++) {
            long block = place(output / PANEL, column / BLOCK);
            into[at + column] = format.number(memory, block, output % PANEL, column % BLOCK);
        }
    }

    @Override
    void multiply(TiledRows x, float[] y, int firstPanel, int endPanel, float[] scratch) {
        for (int panel = firstPanel; panel < endPanel; panel++) {
            for (int block = 0; block < blocks(); block += BLOCKS_AT_ONCE) {
                int end = Math.min(block + BLOCKS_AT_ONCE, blocks());
                for (int index = block; index < end; index++) {
                    int at = (index - block) * BLOCK * PANEL;
                    format.unpack(memory, place(panel, index), scratch, at);
                }
                int from = block * BLOCK;
                int columns = Math.min(end * BLOCK, columns()) - from;
                for (int tile = 0; tile < x.tiles(); tile++) {
                    FloatTiles.multiply(
                            scratch,
                            0,
                            x.numbers(),
                            x.offset(tile) + from * x.height(tile),
                            x.height(tile),
                            y,
                            x.firstRow(tile) * stride() + panel * PANEL,
                            stride(),
                            columns,
                            block > 0);
                }
            }
        }
    }
}
