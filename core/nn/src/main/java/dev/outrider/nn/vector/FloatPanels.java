package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A matrix of 32-bit floats.
final class FloatPanels extends Panels {
    private final MemorySegment memory;

    FloatPanels(int outputs, int columns, Arena arena) {
        super(outputs, columns);
        memory = allocate(arena, (long) count() * columns * PANEL * Float.BYTES);
    }

    @Override
    void fill(int first, MemorySegment rows) {
        long numbers = rows.byteSize() / Float.BYTES;
        for (long index = 0; index < numbers; index++) {
            int output = first + (int) (index / columns());
            memory.setAtIndex(
                    ValueLayout.JAVA_FLOAT,
                    place(output, (int) (index % columns())),
                    rows.getAtIndex(ValueLayout.JAVA_FLOAT, index));
        }
    }

    @Override
    void read(int output, float[] into, int at) {
        for (int column = 0; column < columns(); column++) {
            into[at + column] = memory.getAtIndex(ValueLayout.JAVA_FLOAT, place(output, column));
        }
    }

    @Override
    void multiply(TiledRows x, float[] y, int firstPanel, int endPanel, MemorySegment scratch) {
        for (int panel = firstPanel; panel < endPanel; panel++) {
            long from = (long) panel * columns() * PANEL * Float.BYTES;
            for (int tile = 0; tile < x.tiles(); tile++) {
                FloatTiles.multiply(
                        memory,
                        from,
                        x.numbers(),
                        x.offset(tile),
                        x.height(tile),
                        y,
                        x.firstRow(tile) * stride() + panel * PANEL,
                        stride(),
                        columns(),
                        false);
            }
        }
    }

    private long place(int output, int column) {
        return ((long) (output / PANEL) * columns() + column) * PANEL + output % PANEL;
    }
}
