package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.TILE;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// Rows that a matrix multiplies, in tiles of 1, 2, 4 or 8: within a tile the numbers of a column stand side by side. The last
/// tile is filled up with zeros. Reused from product to product; confined to the pass.
final class TiledRows {
    /// A vector of rows.
    private static final VectorSpecies<Float> SUMS =
            VectorSpecies.of(
                    float.class, VectorShape.forBitSize(Math.min(TILE, Lanes.WIDTH) * Float.SIZE));

    private float[] numbers = new float[0];
    private int columns;
    private int tiles;
    private int lastHeight;

    /// Makes room for rows that [#put] brings.
    void shape(int rows, int width) {
        columns = width;
        tiles = Math.ceilDiv(rows, TILE);
        lastHeight = tileFor(rows - (tiles - 1) * TILE);
        int size = paddedRows() * columns;
        if (numbers.length < size) {
            numbers = new float[size];
        }
        for (int row = rows; row < paddedRows(); row++) {
            int tile = row / TILE;
            int step = height(tile);
            int to = offset(tile) + row % TILE;
            for (int column = 0; column < columns; column++) {
                numbers[to + column * step] = 0;
            }
        }
    }

    /// Takes one row.
    void put(int row, float[] x, int at) {
        int tile = row / TILE;
        int step = tile == tiles - 1 ? lastHeight : TILE;
        int to = offset(tile) + row % TILE;
        if (step == 1) {
            System.arraycopy(x, at, numbers, to, columns);
            return;
        }
        for (int column = 0; column < columns; column++) {
            numbers[to + column * step] = x[at + column];
        }
    }

    /// Sums each row of the first tile over its columns in order; rows side by side, so that none waits for another.
    ///
    /// @param into gets them
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

    /// Rows with those that would fill the last tile.
    static int padded(int rows) {
        int before = (Math.ceilDiv(rows, TILE) - 1) * TILE;
        return before + tileFor(rows - before);
    }

    /// Rows with those that fill the last tile.
    int paddedRows() {
        return (tiles - 1) * TILE + lastHeight;
    }

    float[] numbers() {
        return numbers;
    }

    int tiles() {
        return tiles;
    }

    /// Where a tile begins.
    int offset(int tile) {
        return tile * TILE * columns;
    }

    int firstRow(int tile) {
        return tile * TILE;
    }

    /// Rows of a tile.
    int height(int tile) {
        return tile == tiles - 1 ? lastHeight : TILE;
    }

    /// The least height of a tile for some rows.
    static int tileFor(int rows) {
        return Math.min(TILE, Integer.highestOneBit(2 * rows - 1));
    }
}
