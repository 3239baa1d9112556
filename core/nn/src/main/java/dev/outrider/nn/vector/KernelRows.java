package dev.outrider.nn.vector;

import dev.outrider.nn.vector.Rows.InputRows;
import dev.outrider.nn.vector.Rows.LevelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Rows in levels in the order of [IntegerKernel], in tiles of at most [#TILE] rows. A tile is `[columns / BLOCK, words, rows of the
/// tile]`, with the words of [Order]. Reused from product to product; confined to the pass.
final class KernelRows {
    /// Maximum rows of a tile.
    static final int TILE = 8;

    /// The minimum number of rows that threads share.
    private static final int SHARED = 3;

    /// Columns of a block.
    static final int BLOCK = 32;

    /// Maximum columns of a matrix's block.
    private static final int WHOLE = 256;

    /// Four 16-bit numbers, of which each is 255.
    private static final long BYTES = 0x00ff_00ff_00ff_00ffL;

    private static final int TWICE = 1 << Short.SIZE | 1;
    private static final long SIGNS = 0x8080_8080_8080_8080L;
    private static final long ONES = 0x0001_0001_0001_0001L;

    private final GrowingMemory memory = new GrowingMemory();
    private MemorySegment words = MemorySegment.NULL;
    private int[] sums = new int[0];
    private final Order order;
    private int rows;
    private int columns;

    KernelRows(Order order) {
        this.order = order;
    }

    /// Words of a row in a block, 32 bits each: levels; sums of the first half, of the second half and of all levels, floats; and
    /// the scale, a float. Then [#PAIRS] has sums of 8, of 16 and of all levels, each twice in 16 bits.
    enum Order {
        /// A word has the levels of four columns.
        FOURS(1, 0),

        /// A word has the levels of the first and the third of four columns, twice; the next one those of the second and fourth.
        PAIRS(2, 7);

        private final int words;
        private final int runs;

        Order(int words, int runs) {
            this.words = words;
            this.runs = runs;
        }

        /// Returns the first word with levels of four columns.
        int levels(int column) {
            return column / Integer.BYTES * words;
        }

        /// Returns the word with the sum of 16 or 32 levels, a float.
        int sum(int column, int columns) {
            return levels(BLOCK) + (columns == BLOCK ? 2 : column / columns);
        }

        int scale() {
            return levels(BLOCK) + 3;
        }

        /// Returns the word with the sum of 8, 16 or 32 levels, twice in 16 bits.
        int run(int column, int columns) {
            int before = columns == BLOCK ? 6 : columns == BLOCK / 2 ? 4 : 0;
            return scale() + 1 + before + column / columns;
        }

        int words() {
            return scale() + 1 + runs;
        }
    }

    /// Computes rows in levels.
    ///
    /// @param block columns that have the same scale, a multiple of [#BLOCK] or all
    /// @return the rows in their order
    LevelRows take(InputRows x, int block, Workspace workspace) {
        var levels = x.emptyLevels(block);
        rows = levels.rows();
        columns = Lanes.roundedUp(levels.columns(), WHOLE);
        long blocks = Math.multiplyExact(rows, columns) / BLOCK;
        words = memory.of(blocks * order.words() * Integer.BYTES);
        if (sums.length < rows) {
            sums = new int[rows];
        }
        workspace.share(
                rows,
                SHARED,
                row -> {
                    x.round(row);
                    sums[row] = put(levels, row);
                });
        return levels;
    }

    /// Stores a row.
    ///
    /// @return the sum of its levels
    private int put(LevelRows x, int row) {
        byte[] levels = LevelRows.rounded(columns).bytes();
        Arrays.fill(levels, x.columns(), columns, (byte) 0);
        long from = (long) row * x.columns();
        MemorySegment.copy(x.levels(), ValueLayout.JAVA_BYTE, from, levels, 0, x.columns());
        long step = (long) height(row / TILE) * Integer.BYTES;
        long at = place(row / TILE, 0) + (long) row % TILE * Integer.BYTES;
        var bytes = MemorySegment.ofArray(levels);
        int all = 0;
        for (int column = 0; column < columns; column += BLOCK) {
            int first = 0;
            int both = 0;
            for (int eight = 0; eight < BLOCK; eight += Long.BYTES) {
                if (eight == BLOCK / 2) {
                    first = both;
                }
                long some = bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, column + eight);
                putFour((int) some, at + order.levels(eight) * step, step);
                putFour(
                        (int) (some >>> Integer.SIZE),
                        at + order.levels(eight + Integer.BYTES) * step,
                        step);
                int sum = sum(some);
                putRun(sum, at, eight, Long.BYTES, step);
                both += sum;
            }
            putSum(first, at, 0, BLOCK / 2, step);
            putSum(both - first, at, BLOCK / 2, BLOCK / 2, step);
            putSum(both, at, 0, BLOCK, step);
            float scale = column < x.columns() ? x.scale(row, column) : 0;
            words.set(ValueLayout.JAVA_FLOAT, at + order.scale() * step, scale);
            at += order.words() * step;
            all += both;
        }
        return all;
    }

    private void putFour(int levels, long at, long step) {
        if (order == Order.FOURS) {
            words.set(ValueLayout.JAVA_INT, at, levels);
            return;
        }
        words.set(ValueLayout.JAVA_INT, at, pair(levels));
        words.set(ValueLayout.JAVA_INT, at + step, pair(levels >>> Byte.SIZE));
    }

    /// Returns the first and the third of four levels, twice.
    private static int pair(int levels) {
        return (levels & 0xff | levels >>> Byte.SIZE & 0xff00) * TWICE;
    }

    private void putSum(int sum, long block, int column, int count, long step) {
        words.set(ValueLayout.JAVA_FLOAT, block + order.sum(column, count) * step, sum);
        putRun(sum, block, column, count, step);
    }

    private void putRun(int sum, long block, int column, int count, long step) {
        if (order == Order.PAIRS) {
            int twice = (sum & 0xffff) * TWICE;
            words.set(ValueLayout.JAVA_INT, block + order.run(column, count) * step, twice);
        }
    }

    /// Returns the sum of eight levels.
    private static int sum(long levels) {
        long bytes = levels ^ SIGNS; // each level plus 128
        long pairs = (bytes & BYTES) + (bytes >>> Byte.SIZE & BYTES);
        return (int) (pairs * ONES >>> 48) - Long.BYTES * 128;
    }

    int rows() {
        return rows;
    }

    /// Returns the columns, of which the last ones may be zeros.
    int columns() {
        return columns;
    }

    int tiles() {
        return Math.ceilDiv(rows, TILE);
    }

    /// Returns the first row of a tile.
    int firstRow(int tile) {
        return tile * TILE;
    }

    /// Returns the number of rows of a tile.
    int height(int tile) {
        return Math.min(TILE, rows - firstRow(tile));
    }

    /// Returns a tile's columns, and what follows them.
    ///
    /// @param column the first column of a block
    MemorySegment levels(int tile, int column) {
        return words.asSlice(place(tile, column));
    }

    private long place(int tile, int column) {
        long blocks =
                (long) firstRow(tile) * (columns / BLOCK) + (long) column / BLOCK * height(tile);
        return blocks * order.words() * Integer.BYTES;
    }

    /// Returns the sum of a row's levels.
    int sum(int row) {
        return sums[row];
    }
}
