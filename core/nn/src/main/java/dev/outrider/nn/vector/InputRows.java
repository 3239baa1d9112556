package dev.outrider.nn.vector;

/// Rows that a matrix multiplies, where they are; laid out as the matrix wants them when it asks. Reused from product to product;
/// confined to the pass.
final class InputRows {
    private final TiledRows tiled = new TiledRows();
    private final LevelRows levels = new LevelRows();
    private float[] numbers = new float[0];
    private int[] places = new int[0];
    private int rows;
    private int columns;

    /// Takes rows.
    ///
    /// @param x      where they are until they are multiplied
    /// @param at     the first one's first number
    /// @param stride from a row to the next
    void take(float[] x, int at, int stride, int count, int width) {
        shape(x, count, width);
        for (int row = 0; row < count; row++) {
            put(row, at + row * stride);
        }
    }

    /// Makes room for rows that [#put] names.
    void shape(float[] x, int count, int width) {
        numbers = x;
        rows = count;
        columns = width;
        if (places.length < count) {
            places = new int[count];
        }
    }

    /// Takes one row.
    ///
    /// @param at its first number
    void put(int row, int at) {
        places[row] = at;
    }

    /// Makes room for some rows of others, where they are.
    void pick(InputRows from, int count) {
        shape(from.numbers, count, from.columns);
    }

    /// Takes one of the others' rows.
    void pick(int row, InputRows from, int which) {
        put(row, from.places[which]);
    }

    int rows() {
        return rows;
    }

    /// The rows in tiles.
    TiledRows tiled() {
        tiled.shape(rows, columns);
        for (int row = 0; row < rows; row++) {
            tiled.put(row, numbers, places[row]);
        }
        return tiled;
    }

    /// The rows in levels.
    LevelRows levels() {
        levels.shape(rows, columns);
        for (int row = 0; row < rows; row++) {
            levels.put(row, numbers, places[row]);
        }
        return levels;
    }
}
