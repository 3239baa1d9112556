package dev.outrider.nn.vector;

import dev.outrider.nn.vector.Rows.LevelRows;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Rows in levels with a scale for every [#BLOCK] columns, in tiles of 8 and, for the rest, of 4, 2 and 1: within a tile the
/// numbers of a column stand side by side. The last columns are filled up with zeros. Reused from product to product; confined to the pass.
final class RoundedRows {
    /// Most rows of a tile.
    static final int TILE = 8;

    /// Columns that share a scale.
    static final int BLOCK = 32;

    /// Fewest columns of a sum of integers.
    static final int LEAST = 8;

    /// The most columns of a matrix's block.
    private static final int WHOLE = 256;

    private int rows;
    private int columns;
    private int[] pairs = new int[0];
    private float[] levels = new float[0];
    private int[] eights = new int[0];
    private int[] sixteens = new int[0];
    private int[] blocks = new int[0];
    private float[] scales = new float[0];

    /// Takes rows whose scales are those of [#BLOCK] columns.
    void take(LevelRows x) {
        rows = x.rows();
        columns = Lanes.roundedUp(x.columns(), WHOLE);
        int size = Math.multiplyExact(rows, columns);
        if (pairs.length < size) {
            pairs = new int[size];
            levels = new float[size];
            eights = new int[size / LEAST];
            sixteens = new int[size / (2 * LEAST)];
            blocks = new int[size / BLOCK];
            scales = new float[size / BLOCK];
        }
        Arrays.fill(pairs, 0, size, 0);
        Arrays.fill(levels, 0, size, 0);
        Arrays.fill(scales, 0, size / BLOCK, 0);
        for (int tile = 0; tile < tiles(); tile++) {
            int height = height(tile);
            for (int row = 0; row < height; row++) {
                put(x, firstRow(tile) + row, offset(tile) + row, height);
            }
            int end = offset(tile) + height * columns;
            for (int at = offset(tile); at < end; at += LEAST * height) {
                for (int row = 0; row < height; row++) {
                    float sum = 0;
                    for (int column = 0; column < LEAST; column++) {
                        sum += levels[at + column * height + row];
                    }
                    eights[at / LEAST + row] = (int) sum;
                }
            }
            join(eights, offset(tile) / LEAST, end / LEAST, height, 2, sixteens);
            join(eights, offset(tile) / LEAST, end / LEAST, height, BLOCK / LEAST, blocks);
        }
    }

    private void put(LevelRows x, int row, int to, int step) {
        long from = (long) row * x.columns();
        for (int column = 0; column < x.columns(); column++) {
            int level = x.levels().get(ValueLayout.JAVA_BYTE, from + column);
            pairs[to + column * step] = level & 0xffff | level << Short.SIZE;
            levels[to + column * step] = level;
        }
        int block = to / BLOCK / step * step + to % step;
        for (int index = 0; index * BLOCK < x.columns(); index++) {
            scales[block + index * step] = x.scale(row, index);
        }
    }

    /// Joins sums of neighbouring columns.
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

    /// First row of a tile.
    int firstRow(int tile) {
        int whole = rows / TILE;
        int rest = rows % TILE;
        for (int index = whole; index < tile; index++) {
            rest -= Integer.highestOneBit(rest);
        }
        return Math.min(tile, whole) * TILE + rows % TILE - rest;
    }

    /// Rows of a tile.
    int height(int tile) {
        return tile < rows / TILE ? TILE : Integer.highestOneBit(rows - firstRow(tile));
    }

    /// Where a tile's numbers begin; over [#BLOCK], where its scales do.
    int offset(int tile) {
        return firstRow(tile) * columns;
    }

    /// Levels, each in both halves of an integer.
    int[] pairs() {
        return pairs;
    }

    float[] levels() {
        return levels;
    }

    float[] scales() {
        return scales;
    }

    /// Sums of the levels of so many columns.
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
