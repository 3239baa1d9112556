package dev.outrider.nn.vector;

import dev.outrider.nn.vector.Rows.LevelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Rows in levels with a scale for every [#BLOCK] columns, in tiles of 8 rows and, for the rest, of 4, 2 and 1. Within a tile the
/// numbers of a column are adjacent. The last columns are padded with zeros. Reused from product to product; confined to the
/// pass.
final class RoundedRows {
    /// Maximum rows of a tile.
    static final int TILE = 8;

    /// Columns that share a scale.
    static final int BLOCK = 32;

    /// Minimum columns of a sum of integers.
    static final int LEAST = 8;

    /// Maximum columns of a matrix's block.
    private static final int WHOLE = 256;

    private int rows;
    private int columns;
    private int[] pairs = new int[0];
    private float[] floats = new float[0];
    private byte[] levels = new byte[0];
    private int[] eights = new int[0];
    private int[] sixteens = new int[0];
    private int[] blocks = new int[0];
    private float[] scales = new float[0];

    /// Copies rows that have a scale for every [#BLOCK] columns.
    ///
    /// @param inPairs  whether [#pairs] is needed
    /// @param inFloats whether [#floats] is needed
    void take(LevelRows x, boolean inPairs, boolean inFloats) {
        rows = x.rows();
        columns = Lanes.roundedUp(x.columns(), WHOLE);
        int size = Math.multiplyExact(rows, columns);
        if (eights.length < size / LEAST) {
            eights = new int[size / LEAST];
            sixteens = new int[size / (2 * LEAST)];
            blocks = new int[size / BLOCK];
            scales = new float[size / BLOCK];
        }
        if (inPairs && pairs.length < size) {
            pairs = new int[size];
        }
        if (inFloats && floats.length < size) {
            floats = new float[size];
        }
        if (levels.length < columns) {
            levels = new byte[columns];
        }
        Arrays.fill(levels, x.columns(), columns, (byte) 0);
        for (int tile = 0; tile < tiles(); tile++) {
            int height = height(tile);
            for (int row = 0; row < height; row++) {
                int to = offset(tile) + row;
                long from = (long) (firstRow(tile) + row) * x.columns();
                MemorySegment.copy(x.levels(), ValueLayout.JAVA_BYTE, from, levels, 0, x.columns());
                if (inPairs) {
                    putPairs(to, height);
                }
                if (inFloats) {
                    putFloats(to, height);
                }
                put(x, firstRow(tile) + row, to, height);
            }
            int first = offset(tile) / LEAST;
            int end = first + height * columns / LEAST;
            join(eights, first, end, height, 2, sixteens);
            join(eights, first, end, height, BLOCK / LEAST, blocks);
        }
    }

    private void putPairs(int to, int step) {
        for (int column = 0; column < columns; column++) {
            int level = levels[column];
            pairs[to + column * step] = level & 0xffff | level << Short.SIZE;
        }
    }

    private void putFloats(int to, int step) {
        for (int column = 0; column < columns; column++) {
            floats[to + column * step] = levels[column];
        }
    }

    /// Stores the sums of a row's levels, and its scales.
    private void put(LevelRows x, int row, int to, int step) {
        int sums = to / step / LEAST * step + to % step;
        for (int first = 0; first < columns; first += LEAST) {
            int sum = 0;
            for (int column = first; column < first + LEAST; column++) {
                sum += levels[column];
            }
            eights[sums] = sum;
            sums += step;
        }
        int scale = to / step / BLOCK * step + to % step;
        for (int index = 0; index < columns / BLOCK; index++) {
            scales[scale] = index * BLOCK < x.columns() ? x.scale(row, index * BLOCK) : 0;
            scale += step;
        }
    }

    /// Adds sums of adjacent columns.
    private static void join(int[] from, int first, int end, int height, int count, int[] into) {
        for (int at = first; at < end; at += count * height) {
            for (int row = 0; row < height; row++) {
                int sum = 0;
                for (int index = 0; index < count; index++) {
                    sum += from[at + index * height + row];
                }
                into[at / count + row] = sum;
            }
        }
    }

    int rows() {
        return rows;
    }

    int tiles() {
        return rows / TILE + Integer.bitCount(rows % TILE);
    }

    /// Returns the first row of a tile.
    int firstRow(int tile) {
        int whole = rows / TILE;
        int rest = rows % TILE;
        for (int index = whole; index < tile; index++) {
            rest -= Integer.highestOneBit(rest);
        }
        return Math.min(tile, whole) * TILE + rows % TILE - rest;
    }

    /// Returns the number of rows of a tile.
    int height(int tile) {
        return tile < rows / TILE ? TILE : Integer.highestOneBit(rows - firstRow(tile));
    }

    /// Returns the start of a tile's numbers. This divided by [#BLOCK] is the start of its scales.
    int offset(int tile) {
        return firstRow(tile) * columns;
    }

    /// Returns the levels, each in both halves of an integer.
    int[] pairs() {
        return pairs;
    }

    /// Returns the levels as floats.
    float[] floats() {
        return floats;
    }

    float[] scales() {
        return scales;
    }

    /// Returns the sums of the levels of a number of columns.
    ///
    /// @param count [#LEAST], twice as many, or [#BLOCK]
    int[] sums(int count) {
        return switch (count) {
            case LEAST -> eights;
            case BLOCK -> blocks;
            default -> sixteens;
        };
    }
}
