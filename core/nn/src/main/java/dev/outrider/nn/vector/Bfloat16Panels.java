package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.PANEL;

import dev.outrider.nn.checkpoint.HalfFloats;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A matrix of bfloat16 numbers.
final class Bfloat16Panels extends Panels {
    private final MemorySegment memory;

    Bfloat16Panels(int outputs, int columns, Arena arena) {
        super(outputs, columns);
        memory = allocate(arena, (long) count() * columns * PANEL * Short.BYTES);
    }

    @Override
    void fill(int first, MemorySegment rows) {
        long numbers = rows.byteSize() / Float.BYTES;
        for (long index = 0; index < numbers; index++) {
            int output = first + (int) (index / columns());
            memory.setAtIndex(
                    ValueLayout.JAVA_SHORT,
                    place(output, (int) (index % columns())),
                    HalfFloats.toBfloat16(rows.getAtIndex(ValueLayout.JAVA_FLOAT, index)));
        }
    }

    @Override
    void read(int output, float[] into, int at) {
        for (int column = 0; column < columns(); column++) {
            into[at + column] =
                    HalfFloats.fromBfloat16(
                            memory.getAtIndex(ValueLayout.JAVA_SHORT, place(output, column)));
        }
    }

    @Override
    void multiply(TiledRows x, float[] y, int firstPanel, int endPanel, float[] scratch) {
        for (int panel = firstPanel; panel < endPanel; panel++) {
            long from = (long) panel * columns() * BYTES;
            for (int tile = 0; tile < x.tiles(); tile++) {
                Bfloat16Tiles.multiply(
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
        return ((long) (output / PANEL) * columns() + column) * PANEL + PairLayout.place(output);
    }
}
