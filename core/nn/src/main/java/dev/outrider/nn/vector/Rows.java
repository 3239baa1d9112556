package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.TILE;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.vector.KernelRows.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// Activations, row after row. Reused from pass to pass; confined to the pass.
final class Rows {
    private float[] numbers = new float[0];
    private int stride;

    /// Sets the shape and allocates memory; the earlier content is lost.
    void shape(int rows, int width) {
        stride = width;
        int size = Math.multiplyExact(rows, width);
        if (numbers.length < size) {
            numbers = new float[size];
        }
    }

    float[] numbers() {
        return numbers;
    }

    int stride() {
        return stride;
    }

    int at(int row) {
        return row * stride;
    }

    /// Copies numbers from a row of other rows.
    void copy(int row, Rows from, int other, int size) {
        System.arraycopy(from.numbers, from.at(other), numbers, at(row), size);
    }

    /// Adds numbers of a row of other rows.
    void add(int row, Rows more, int other, int size) {
        VectorMath.add(numbers, at(row), more.numbers, more.at(other), size);
    }

    /// Multiplies the numbers of a row by a factor.
    void scale(int row, int size, float by) {
        VectorMath.scale(numbers, at(row), size, by);
    }

    /// Rows that a matrix multiplies, in tiles of 1, 2, 4 or 8 rows, of which the last one is padded with zeros; or in tiles of any
    /// number of rows, of which the last one may have fewer. Within a tile the numbers of a column are adjacent. Reused from
    /// product to product; confined to the pass.
    static final class TiledRows {
        /// A vector of rows.
        private static final VectorSpecies<Float> SUMS =
                VectorSpecies.of(
                        float.class,
                        VectorShape.forBitSize(Math.min(TILE, Lanes.WIDTH) * Float.SIZE));

        private float[] numbers = new float[0];
        private int columns;
        private int tiles;
        private int height;
        private int lastHeight;

        /// Allocates memory for rows that are added by [#put].
        void shape(int rows, int width) {
            shape(rows, width, false);
        }

        /// @param exact whether tiles have any number of rows, at most [Lanes#EXACT_TILE]
        void shape(int rows, int width, boolean exact) {
            columns = width;
            tiles = Math.ceilDiv(rows, exact ? Lanes.EXACT_TILE : TILE);
            height = exact ? Math.ceilDiv(rows, Math.max(1, tiles)) : TILE;
            int last = rows - (tiles - 1) * height;
            lastHeight = exact ? last : tileFor(last);
            int size = paddedRows() * columns;
            if (numbers.length < size) {
                numbers = new float[size];
            }
            for (int row = rows; row < paddedRows(); row++) {
                int tile = row / height;
                int step = height(tile);
                int to = offset(tile) + row % height;
                for (int column = 0; column < columns; column++) {
                    numbers[to + column * step] = 0;
                }
            }
        }

        /// Adds one row.
        void put(int row, float[] x, int at) {
            int tile = row / height;
            int step = height(tile);
            int to = offset(tile) + row % height;
            if (step == 1) {
                System.arraycopy(x, at, numbers, to, columns);
                return;
            }
            for (int column = 0; column < columns; column++) {
                numbers[to + column * step] = x[at + column];
            }
        }

        /// Sums each row of the first tile over its columns in order; the rows in parallel lanes, so that no sum waits for another.
        ///
        /// @param into receives the sums
        void sums(float[] into) {
            int rows = height(0);
            if (rows < SUMS.length()) {
                Arrays.fill(into, 0, rows, 0);
                for (int column = 0; column < columns; column++) {
                    for (int row = 0; row < rows; row++) {
                        into[row] += numbers[column * rows + row];
                    }
                }
                return;
            }
            for (int row = 0; row < rows; row += SUMS.length()) {
                var sum = FloatVector.zero(SUMS);
                for (int column = 0; column < columns; column++) {
                    sum = sum.add(FloatVector.fromArray(SUMS, numbers, column * rows + row));
                }
                sum.intoArray(into, row);
            }
        }

        /// Multiplies each column of the first tile by its own factor.
        void scale(MemorySegment by, long from) {
            int rows = height(0);
            if (rows < SUMS.length()) {
                for (int column = 0; column < columns; column++) {
                    long place = from + (long) column * Float.BYTES;
                    float factor = by.get(ValueLayout.JAVA_FLOAT, place);
                    for (int at = column * rows; at < (column + 1) * rows; at++) {
                        numbers[at] *= factor;
                    }
                }
                return;
            }
            for (int row = 0; row < rows; row += SUMS.length()) {
                for (int column = 0; column < columns; column++) {
                    long place = from + (long) column * Float.BYTES;
                    FloatVector.fromArray(SUMS, numbers, column * rows + row)
                            .mul(FloatVector.broadcast(SUMS, by.get(ValueLayout.JAVA_FLOAT, place)))
                            .intoArray(numbers, column * rows + row);
                }
            }
        }

        /// Returns the number of rows including those that fill the last tile.
        static int padded(int rows) {
            int before = (Math.ceilDiv(rows, TILE) - 1) * TILE;
            return before + tileFor(rows - before);
        }

        /// Returns the number of rows including those that fill the last tile.
        int paddedRows() {
            return firstRow(tiles - 1) + lastHeight;
        }

        float[] numbers() {
            return numbers;
        }

        int tiles() {
            return tiles;
        }

        /// Returns the start of a tile.
        int offset(int tile) {
            return firstRow(tile) * columns;
        }

        int firstRow(int tile) {
            return tile * height;
        }

        /// Returns the number of rows of a tile.
        int height(int tile) {
            return tile == tiles - 1 ? lastHeight : height;
        }

        /// Returns the smallest height of a tile for some rows.
        static int tileFor(int rows) {
            return Math.min(TILE, Integer.highestOneBit(2 * rows - 1));
        }
    }

    /// Rows in eight bits. Each block of columns of a row has a scale, which is their greatest magnitude divided by 127. Each
    /// number has a level; the rounded number is the level times the scale. Reused from product to product; confined to the pass.
    ///
    /// @see "Yao et al. 2022 (ZeroQuant), section 4.1: token-wise quantisation of activations"
    static final class LevelRows {
        static final int MAX = 127;

        /// Columns whose greatest magnitude is below this are rounded to zeros, because the inverse would be infinite.
        private static final float MIN = 0x1p-100f;

        /// Adding and subtracting this number rounds to the nearest integer, ties to even.
        private static final float ROUNDER = 0x1.8p23f;

        private static final ThreadLocal<RoundedRow> ROUNDED =
                ThreadLocal.withInitial(RoundedRow::new);

        private final GrowingMemory memory = new GrowingMemory();
        private float[] scales = new float[0];
        private MemorySegment levels = MemorySegment.NULL;
        private int rows;
        private int columns;
        private int block;

        /// Allocates memory for rows that are added by [#put].
        ///
        /// @param size columns that have the same scale
        void shape(int count, int width, int size) {
            rows = count;
            columns = width;
            block = size;
            levels = memory.of((long) count * width);
            int needed = count * blocks();
            if (scales.length < needed) {
                scales = new float[needed];
            }
        }

        /// Returns memory of the thread for one row.
        static RoundedRow rounded(int width) {
            var row = ROUNDED.get();
            if (row.bytes.length < width) {
                row.numbers = new float[width];
                row.bytes = new byte[width];
            }
            return row;
        }

        /// Adds one row; threads may add several at the same time.
        void put(int row, float[] x, int at) {
            var memory = rounded(columns);
            var rounded = memory.numbers;
            var bytes = memory.bytes;
            for (int index = 0; index < blocks(); index++) {
                int first = index * block;
                int size = Math.min(columns, first + block) - first;
                scales[row * blocks() + index] = round(x, at + first, size, rounded, first);
            }
            for (int column = 0; column < columns; column++) {
                bytes[column] = (byte) rounded[column];
            }
            MemorySegment.copy(
                    bytes, 0, levels, ValueLayout.JAVA_BYTE, (long) row * columns, columns);
        }

        /// Rounds numbers to levels.
        ///
        /// @param into receives the levels
        /// @return the scale
        static float round(float[] x, int at, int size, float[] into, int to) {
            float most = greatest(x, at, at + size);
            boolean none = most < MIN;
            round(x, at, size, none ? 0 : MAX / most, into, to);
            return none ? 0 : most / MAX;
        }

        private static float greatest(float[] x, int first, int end) {
            var most = FloatVector.zero(FLOATS);
            int at = first;
            for (; at <= end - WIDTH; at += WIDTH) {
                most = most.max(FloatVector.fromArray(FLOATS, x, at).abs());
            }
            float result = most.reduceLanes(VectorOperators.MAX);
            for (; at < end; at++) {
                result = Math.max(result, Math.abs(x[at]));
            }
            return result;
        }

        private static void round(
                float[] x, int at, int size, float inverse, float[] into, int to) {
            int index = 0;
            for (; index <= size - WIDTH; index += WIDTH) {
                FloatVector.fromArray(FLOATS, x, at + index)
                        .mul(inverse)
                        .add(ROUNDER)
                        .sub(ROUNDER)
                        .intoArray(into, to + index);
            }
            for (; index < size; index++) {
                into[to + index] = x[at + index] * inverse + ROUNDER - ROUNDER;
            }
        }

        int rows() {
            return rows;
        }

        int columns() {
            return columns;
        }

        /// A row in levels.
        static final class RoundedRow {
            private float[] numbers = new float[0];
            private byte[] bytes = new byte[0];

            byte[] bytes() {
                return bytes;
            }
        }

        /// Returns the levels as bytes, `[rows, columns]`.
        MemorySegment levels() {
            return levels;
        }

        private int blocks() {
            return Math.ceilDiv(columns, block);
        }

        /// Returns the scale of a column.
        float scale(int row, int column) {
            return scales[row * blocks() + column / block];
        }
    }

    /// Rows that a matrix multiplies, in their original memory. They are copied into the layout of a matrix when the matrix needs
    /// it. Reused from product to product; confined to the pass.
    static final class InputRows {
        private final TiledRows tiled = new TiledRows();
        private final LevelRows levels = new LevelRows();
        private final RoundedRows rounded = new RoundedRows();
        private final KernelRows fours = new KernelRows(Order.FOURS);
        private final KernelRows pairs = new KernelRows(Order.PAIRS);
        private float[] numbers = new float[0];
        private int[] places = new int[0];
        private int rows;
        private int columns;

        /// Sets the rows.
        ///
        /// @param x      memory of the rows until they are multiplied
        /// @param at     first number of the first row
        /// @param stride numbers from the start of a row to the start of the next
        void take(float[] x, int at, int stride, int count, int width) {
            shape(x, count, width);
            for (int row = 0; row < count; row++) {
                put(row, at + row * stride);
            }
        }

        /// Prepares for rows whose places are given by [#put].
        void shape(float[] x, int count, int width) {
            numbers = x;
            rows = count;
            columns = width;
            if (places.length < count) {
                places = new int[count];
            }
        }

        /// Adds one row.
        ///
        /// @param at its first number
        void put(int row, int at) {
            places[row] = at;
        }

        /// Prepares for some of the rows of another input, without a copy.
        void pick(InputRows from, int count) {
            shape(from.numbers, count, from.columns);
        }

        /// Adds one row of the other input.
        void pick(int row, InputRows from, int which) {
            put(row, from.places[which]);
        }

        int rows() {
            return rows;
        }

        /// Returns the rows in tiles.
        ///
        /// @param exact whether tiles have any number of rows
        TiledRows tiled(Workspace workspace, boolean exact) {
            tiled.shape(rows, columns, exact);
            workspace.share(rows, row -> tiled.put(row, numbers, places[row]));
            return tiled;
        }

        /// Returns memory for the rows in levels, in tiles.
        RoundedRows rounded() {
            return rounded;
        }

        /// Returns memory for the rows in levels, in the order of kernels.
        KernelRows forKernels(Order order) {
            return order == Order.FOURS ? fours : pairs;
        }

        /// Returns the rows in levels.
        ///
        /// @param block columns that have the same scale
        LevelRows levels(int block) {
            var empty = emptyLevels(block);
            for (int row = 0; row < rows; row++) {
                round(row);
            }
            return empty;
        }

        /// Returns memory for the rows in levels, which [#round] computes.
        LevelRows emptyLevels(int block) {
            levels.shape(rows, columns, block);
            return levels;
        }

        /// Computes a row in levels; threads may compute several at the same time.
        void round(int row) {
            levels.put(row, numbers, places[row]);
        }
    }
}
