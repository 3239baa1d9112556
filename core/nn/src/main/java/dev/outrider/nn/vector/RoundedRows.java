package dev.outrider.nn.vector;

import dev.outrider.nn.vector.Rows.LevelRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Set;

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

    /// Words of a row in a block of columns, and the first of its sums.
    static final int WORDS = 12;

    static final int SUMS = BLOCK / Integer.BYTES;

    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;

    private int rows;
    private int columns;
    private int[] pairs = new int[0];
    private float[] floats = new float[0];
    private byte[] levels = new byte[0];
    private int[] eights = new int[0];
    private int[] sixteens = new int[0];
    private int[] blocks = new int[0];
    private float[] scales = new float[0];
    private final GrowingMemory memory = new GrowingMemory();
    private MemorySegment words = MemorySegment.NULL;

    /// A form of the levels that a format of a matrix multiplies.
    enum Form {
        /// [#pairs].
        PAIRS,
        /// [#floats].
        FLOATS,
        /// [#words].
        WORDS;

        static Form of(BlockFormat format) {
            return IntegerKernel.runs(format) ? WORDS : format.bits() == Byte.SIZE ? FLOATS : PAIRS;
        }
    }

    /// Copies rows whose scales belong to multiples of [#BLOCK] columns.
    ///
    /// @param forms those that are needed
    void take(LevelRows x, Set<Form> forms) {
        rows = x.rows();
        columns = Lanes.roundedUp(x.columns(), WHOLE);
        int size = Math.multiplyExact(rows, columns);
        if (eights.length < size / LEAST) {
            eights = new int[size / LEAST];
            sixteens = new int[size / (2 * LEAST)];
            blocks = new int[size / BLOCK];
            scales = new float[size / BLOCK];
        }
        if (forms.contains(Form.PAIRS) && pairs.length < size) {
            pairs = new int[size];
        }
        if (forms.contains(Form.FLOATS) && floats.length < size) {
            floats = new float[size];
        }
        if (forms.contains(Form.WORDS)) {
            words = memory.of((long) size / BLOCK * WORDS * Integer.BYTES);
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
                MemorySegment.copy(
                        x.levels(), ValueLayout.JAVA_BYTE, from, levels, 0, x.columns());
                if (forms.contains(Form.PAIRS)) {
                    putPairs(to, height);
                }
                if (forms.contains(Form.FLOATS)) {
                    putFloats(to, height);
                }
                if (forms.contains(Form.WORDS)) {
                    putLevels(to, height);
                }
                put(x, firstRow(tile) + row, to, height);
            }
            int first = offset(tile) / LEAST;
            int end = first + height * columns / LEAST;
            join(eights, first, end, height, 2, sixteens);
            join(eights, first, end, height, BLOCK / LEAST, blocks);
            if (forms.contains(Form.WORDS)) {
                putWords(offset(tile), height);
            }
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

    private void putLevels(int to, int step) {
        var from = MemorySegment.ofArray(levels);
        for (int block = 0; block < columns / BLOCK; block++) {
            long at = words(to - to % step, step, block) + to % step;
            for (int four = 0; four < BLOCK / Integer.BYTES; four++) {
                int word = from.get(WORD, (long) block * BLOCK + four * Integer.BYTES);
                words.setAtIndex(ValueLayout.JAVA_INT, at + (long) four * step, word);
            }
        }
    }

    /// Stores the sums and scales of a tile's blocks.
    private void putWords(int offset, int height) {
        for (int block = 0; block < columns / BLOCK; block++) {
            int at = offset / BLOCK + block * height;
            long to = words(offset, height, block);
            for (int row = 0; row < height; row++) {
                putFloat(to, SUMS, height, row, sixteens[offset / 16 + 2 * block * height + row]);
                putFloat(
                        to,
                        SUMS + 1,
                        height,
                        row,
                        sixteens[offset / 16 + (2 * block + 1) * height + row]);
                putFloat(to, SUMS + 2, height, row, blocks[at + row]);
                putFloat(to, SUMS + 3, height, row, scales[at + row]);
            }
        }
    }

    private void putFloat(long block, int word, int height, int row, float number) {
        words.setAtIndex(ValueLayout.JAVA_FLOAT, block + (long) word * height + row, number);
    }

    private static long words(int offset, int height, int block) {
        return ((long) offset / BLOCK + (long) block * height) * WORDS;
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

    /// Returns the address of a tile's columns for [IntegerKernel]; only where kernels run. A block of columns is
    /// `[WORDS, rows of the tile]`: the levels, four columns together; sums of the levels of the first half, the second half and
    /// all columns, as floats; and the scales.
    ///
    /// @param column the first column of a block
    long words(int tile, int column) {
        return words.address()
                + words(offset(tile), height(tile), column / BLOCK) * Integer.BYTES;
    }

    /// Returns the levels as floats.
    float[] floats() {
        return floats;
    }

    /// Returns the sum of a row's levels.
    int sum(int row) {
        int sum = 0;
        int first = first(row);
        for (int index = 0; index < columns / BLOCK; index++) {
            sum += blocks[first + index * height(tile(row))];
        }
        return sum;
    }

    /// Returns the scale of a row's first columns.
    float scale(int row) {
        return scales[first(row)];
    }

    private int tile(int row) {
        int tile = row / TILE;
        while (row >= firstRow(tile) + height(tile)) {
            tile++;
        }
        return tile;
    }

    private int first(int row) {
        int tile = tile(row);
        return offset(tile) / BLOCK + row - firstRow(tile);
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
