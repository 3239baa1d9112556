package dev.outrider.nn.vector;

import dev.outrider.nn.vector.Rows.LevelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Rows in levels in the order of [IntegerKernel], in tiles of at most [#TILE] rows. A tile is `[columns / BLOCK, WORDS, rows of the
/// tile]`. Reused from product to product; confined to the pass.
final class KernelRows {
    /// Maximum rows of a tile.
    static final int TILE = 8;

    /// Columns of a block.
    static final int BLOCK = 32;

    /// Words of a row in a block, 32 bits each: first its levels, four columns together.
    static final int WORDS = 12;

    /// The first word with a sum of levels, a float: of the first half of the block's columns, of the second half, of all.
    static final int SUMS = BLOCK / Integer.BYTES;

    /// The word with the scale, a float.
    static final int SCALE = SUMS + 3;

    /// Maximum columns of a matrix's block.
    private static final int WHOLE = 256;

    /// Four 16-bit numbers, of which each is 255.
    private static final long BYTES = 0x00ff_00ff_00ff_00ffL;

    private static final long SIGNS = 0x8080_8080_8080_8080L;
    private static final long ONES = 0x0001_0001_0001_0001L;

    private final GrowingMemory memory = new GrowingMemory();
    private MemorySegment words = MemorySegment.NULL;
    private byte[] levels = new byte[0];
    private float[] scales = new float[0];
    private int[] sums = new int[0];
    private int rows;
    private int columns;

    /// Copies rows whose scales belong to multiples of [#BLOCK] columns.
    void take(LevelRows x) {
        rows = x.rows();
        columns = Lanes.roundedUp(x.columns(), WHOLE);
        words = memory.of(Math.multiplyExact(rows, columns) / BLOCK * WORDS * (long) Integer.BYTES);
        if (levels.length < columns) {
            levels = new byte[columns];
        }
        if (sums.length < rows) {
            sums = new int[rows];
            scales = new float[rows];
        }
        Arrays.fill(levels, x.columns(), columns, (byte) 0);
        for (int row = 0; row < rows; row++) {
            long from = (long) row * x.columns();
            MemorySegment.copy(x.levels(), ValueLayout.JAVA_BYTE, from, levels, 0, x.columns());
            scales[row] = x.scale(row, 0);
            sums[row] = put(x, row);
        }
    }

    /// Stores a row.
    ///
    /// @return the sum of its levels
    private int put(LevelRows x, int row) {
        long step = (long) height(row / TILE) * Integer.BYTES;
        long at = place(row / TILE, 0) + (long) row % TILE * Integer.BYTES;
        var bytes = MemorySegment.ofArray(levels);
        int all = 0;
        for (int column = 0; column < columns; column += BLOCK) {
            int first = 0;
            int both = 0;
            for (int eight = 0; eight < BLOCK / Long.BYTES; eight++) {
                if (eight == BLOCK / Long.BYTES / 2) {
                    first = both;
                }
                long some = bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, column + eight * 8L);
                words.set(ValueLayout.JAVA_INT, at + 2 * eight * step, (int) some);
                words.set(
                        ValueLayout.JAVA_INT,
                        at + (2 * eight + 1) * step,
                        (int) (some >>> Integer.SIZE));
                both += sum(some);
            }
            words.set(ValueLayout.JAVA_FLOAT, at + SUMS * step, first);
            words.set(ValueLayout.JAVA_FLOAT, at + (SUMS + 1) * step, both - first);
            words.set(ValueLayout.JAVA_FLOAT, at + (SUMS + 2) * step, both);
            float scale = column < x.columns() ? x.scale(row, column) : 0;
            words.set(ValueLayout.JAVA_FLOAT, at + SCALE * step, scale);
            at += WORDS * step;
            all += both;
        }
        return all;
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

    /// Returns the address of a tile's columns.
    ///
    /// @param column the first column of a block
    long address(int tile, int column) {
        return words.address() + place(tile, column);
    }

    private long place(int tile, int column) {
        long blocks =
                (long) firstRow(tile) * (columns / BLOCK) + (long) column / BLOCK * height(tile);
        return blocks * WORDS * Integer.BYTES;
    }

    /// Returns the sum of a row's levels.
    int sum(int row) {
        return sums[row];
    }

    /// Returns the scale of a row's first columns.
    float scale(int row) {
        return scales[row];
    }
}
