package dev.outrider.nn.vector;

import dev.outrider.nn.integers.IntegerMatrix;
import dev.outrider.nn.integers.IntegerProducts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Products of integers in Java's vector code. A float holds sums of 1024 products of two levels exactly; these are then added as
/// integers.
public final class PanelIntegers implements IntegerProducts {
    /// Columns whose products a float adds: 1024 * 127 * 127 < 2^24.
    private static final int EXACT = 1024;

    /// Outputs of a part.
    private static final int MULTIPLE = 64;

    /// For any matrix.
    public PanelIntegers() {}

    @Override
    public String name() {
        return "Java's vector code";
    }

    @Override
    public IntegerMatrix matrix(int outputs, int columns, Arena arena) {
        return new PanelMatrix(new Panels(PanelFormat.LEVELS, outputs, columns, arena));
    }

    private static final class PanelMatrix implements IntegerMatrix {
        private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

        private final Panels panels;
        private int filled;

        PanelMatrix(Panels panels) {
            this.panels = panels;
        }

        @Override
        public void add(byte[] levels) {
            var numbers = SCRATCH.get().row(levels.length);
            for (int column = 0; column < levels.length; column++) {
                numbers[column] = levels[column];
            }
            long bytes = (long) levels.length * Float.BYTES;
            panels.fill(filled++, MemorySegment.ofArray(numbers).asSlice(0, bytes));
        }

        @Override
        public void read(int output, byte[] levels) {
            var numbers = new float[levels.length];
            panels.read(output, numbers, 0);
            for (int column = 0; column < levels.length; column++) {
                levels[column] = (byte) numbers[column];
            }
        }

        @Override
        public int parts() {
            return Math.ceilDiv(panels.count(), perPart());
        }

        private static int perPart() {
            return Math.ceilDiv(MULTIPLE, Lanes.PANEL);
        }

        @Override
        public int firstOutput(int part) {
            return Math.min(panels.outputs(), part * perPart() * Lanes.PANEL);
        }

        @Override
        public void multiply(
                MemorySegment x, int rows, MemorySegment sums, int stride, int first, int end) {
            int firstPanel = first * perPart();
            int endPanel = Math.min(panels.count(), end * perPart());
            int from = firstPanel * Lanes.PANEL;
            int to = endPanel * Lanes.PANEL;
            var scratch = SCRATCH.get();
            var tiles = scratch.take(x, rows, panels.columns());
            var products = scratch.products(tiles.paddedRows() * panels.stride());
            int[] exact = scratch.sums(rows * panels.stride());
            Arrays.fill(exact, 0, rows * panels.stride(), 0);
            for (int column = 0; column < panels.columns(); column += EXACT) {
                int count = Math.min(EXACT, panels.columns() - column);
                panels.multiply(
                        tiles, products, firstPanel, endPanel, column, count, scratch.scales);
                for (int row = 0; row < rows; row++) {
                    int at = row * panels.stride();
                    add(products, exact, at + from, at + to);
                }
            }
            for (int row = 0; row < rows; row++) {
                long place = ((long) row * stride + from) * Integer.BYTES;
                int at = row * panels.stride() + from;
                MemorySegment.copy(exact, at, sums, ValueLayout.JAVA_INT, place, to - from);
            }
        }

        private static void add(float[] products, int[] sums, int first, int end) {
            for (int at = first; at < end; at++) {
                sums[at] += (int) products[at];
            }
        }
    }

    /// Memory of a thread.
    private static final class Scratch {
        private final TiledRows tiles = new TiledRows();
        private final Scales scales = new Scales();
        private float[] row = new float[0];
        private byte[] levels = new byte[0];
        private int[] sums = new int[0];
        private float[] products = new float[0];

        /// Room for a row, or more.
        float[] row(int columns) {
            if (row.length < columns) {
                row = new float[columns];
            }
            return row;
        }

        TiledRows take(MemorySegment x, int rows, int columns) {
            row(columns);
            if (levels.length < columns) {
                levels = new byte[columns];
            }
            tiles.shape(rows, columns);
            for (int index = 0; index < rows; index++) {
                MemorySegment.copy(
                        x, ValueLayout.JAVA_BYTE, (long) index * columns, levels, 0, columns);
                for (int column = 0; column < columns; column++) {
                    row[column] = levels[column];
                }
                tiles.put(index, row, 0);
            }
            return tiles;
        }

        int[] sums(int count) {
            if (sums.length < count) {
                sums = new int[count];
            }
            return sums;
        }

        float[] products(int count) {
            if (products.length < count) {
                products = new float[count];
            }
            return products;
        }
    }
}
