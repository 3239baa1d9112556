package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import jdk.incubator.vector.FloatVector;

/// Tiles of rows times panels of 32-bit floats: a column of a panel is two vectors, one number for each of its outputs.
///
/// Every output of every row is a sum of its own over the columns in order, one fused multiply-add each: what other rows are in
/// the tile cannot change it.
final class FloatTiles {
    private FloatTiles() {}

    /// Multiplies the rows of a tile by a panel.
    ///
    /// @param panel   where the panel is
    /// @param from    its first number
    /// @param x       the tile: the rows' numbers of a column side by side, `[columns, rows]`
    /// @param rows    1, 2, 4 or 8
    /// @param y       gets the products, row after row
    /// @param stride  from a row of `y` to the next
    /// @param columns how many of them
    /// @param more    whether `y` has the sums of earlier columns, which go on
    static void multiply(
            float[] panel,
            int from,
            float[] x,
            int xAt,
            int rows,
            float[] y,
            int yAt,
            int stride,
            int columns,
            boolean more) {
        switch (rows) {
            case 1 -> one(panel, from, x, xAt, y, yAt, columns, more);
            case 2 -> two(panel, from, x, xAt, y, yAt, stride, columns, more);
            case 4 -> four(panel, from, x, xAt, y, yAt, stride, columns, more);
            default -> eight(panel, from, x, xAt, y, yAt, stride, columns, more);
        }
    }

    /// One row: `x` has the row side by side.
    private static void one(
            float[] panel,
            int from,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            int columns,
            boolean more) {
        int at0 = yAt;
        var low0 = more ? FloatVector.fromArray(FLOATS, y, at0) : FloatVector.zero(FLOATS);
        var high0 = more ? FloatVector.fromArray(FLOATS, y, at0 + WIDTH) : FloatVector.zero(FLOATS);
        for (int column = 0; column < columns; column++) {
            int at = from + column * PANEL;
            var low = FloatVector.fromArray(FLOATS, panel, at);
            var high = FloatVector.fromArray(FLOATS, panel, at + WIDTH);
            int xs = xAt + column;
            var x0 = FloatVector.broadcast(FLOATS, x[xs]);
            low0 = x0.fma(low, low0);
            high0 = x0.fma(high, high0);
        }
        low0.intoArray(y, at0);
        high0.intoArray(y, at0 + WIDTH);
    }

    /// Two rows: `x` has the numbers of the rows side by side.
    private static void two(
            float[] panel,
            int from,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            int stride,
            int columns,
            boolean more) {
        int at0 = yAt;
        int at1 = yAt + stride;
        var low0 = more ? FloatVector.fromArray(FLOATS, y, at0) : FloatVector.zero(FLOATS);
        var high0 = more ? FloatVector.fromArray(FLOATS, y, at0 + WIDTH) : FloatVector.zero(FLOATS);
        var low1 = more ? FloatVector.fromArray(FLOATS, y, at1) : FloatVector.zero(FLOATS);
        var high1 = more ? FloatVector.fromArray(FLOATS, y, at1 + WIDTH) : FloatVector.zero(FLOATS);
        for (int column = 0; column < columns; column++) {
            int at = from + column * PANEL;
            var low = FloatVector.fromArray(FLOATS, panel, at);
            var high = FloatVector.fromArray(FLOATS, panel, at + WIDTH);
            int xs = xAt + column * 2;
            var x0 = FloatVector.broadcast(FLOATS, x[xs]);
            low0 = x0.fma(low, low0);
            high0 = x0.fma(high, high0);
            var x1 = FloatVector.broadcast(FLOATS, x[xs + 1]);
            low1 = x1.fma(low, low1);
            high1 = x1.fma(high, high1);
        }
        low0.intoArray(y, at0);
        high0.intoArray(y, at0 + WIDTH);
        low1.intoArray(y, at1);
        high1.intoArray(y, at1 + WIDTH);
    }

    /// Four rows: `x` has the numbers of the rows side by side.
    private static void four(
            float[] panel,
            int from,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            int stride,
            int columns,
            boolean more) {
        int at0 = yAt;
        int at1 = yAt + stride;
        int at2 = yAt + 2 * stride;
        int at3 = yAt + 3 * stride;
        var low0 = more ? FloatVector.fromArray(FLOATS, y, at0) : FloatVector.zero(FLOATS);
        var high0 = more ? FloatVector.fromArray(FLOATS, y, at0 + WIDTH) : FloatVector.zero(FLOATS);
        var low1 = more ? FloatVector.fromArray(FLOATS, y, at1) : FloatVector.zero(FLOATS);
        var high1 = more ? FloatVector.fromArray(FLOATS, y, at1 + WIDTH) : FloatVector.zero(FLOATS);
        var low2 = more ? FloatVector.fromArray(FLOATS, y, at2) : FloatVector.zero(FLOATS);
        var high2 = more ? FloatVector.fromArray(FLOATS, y, at2 + WIDTH) : FloatVector.zero(FLOATS);
        var low3 = more ? FloatVector.fromArray(FLOATS, y, at3) : FloatVector.zero(FLOATS);
        var high3 = more ? FloatVector.fromArray(FLOATS, y, at3 + WIDTH) : FloatVector.zero(FLOATS);
        for (int column = 0; column < columns; column++) {
            int at = from + column * PANEL;
            var low = FloatVector.fromArray(FLOATS, panel, at);
            var high = FloatVector.fromArray(FLOATS, panel, at + WIDTH);
            int xs = xAt + column * 4;
            var x0 = FloatVector.broadcast(FLOATS, x[xs]);
            low0 = x0.fma(low, low0);
            high0 = x0.fma(high, high0);
            var x1 = FloatVector.broadcast(FLOATS, x[xs + 1]);
            low1 = x1.fma(low, low1);
            high1 = x1.fma(high, high1);
            var x2 = FloatVector.broadcast(FLOATS, x[xs + 2]);
            low2 = x2.fma(low, low2);
            high2 = x2.fma(high, high2);
            var x3 = FloatVector.broadcast(FLOATS, x[xs + 3]);
            low3 = x3.fma(low, low3);
            high3 = x3.fma(high, high3);
        }
        low0.intoArray(y, at0);
        high0.intoArray(y, at0 + WIDTH);
        low1.intoArray(y, at1);
        high1.intoArray(y, at1 + WIDTH);
        low2.intoArray(y, at2);
        high2.intoArray(y, at2 + WIDTH);
        low3.intoArray(y, at3);
        high3.intoArray(y, at3 + WIDTH);
    }

    /// Eight rows: `x` has the numbers of the rows side by side.
    private static void eight(
            float[] panel,
            int from,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            int stride,
            int columns,
            boolean more) {
        int at0 = yAt;
        int at1 = yAt + stride;
        int at2 = yAt + 2 * stride;
        int at3 = yAt + 3 * stride;
        int at4 = yAt + 4 * stride;
        int at5 = yAt + 5 * stride;
        int at6 = yAt + 6 * stride;
        int at7 = yAt + 7 * stride;
        var low0 = more ? FloatVector.fromArray(FLOATS, y, at0) : FloatVector.zero(FLOATS);
        var high0 = more ? FloatVector.fromArray(FLOATS, y, at0 + WIDTH) : FloatVector.zero(FLOATS);
        var low1 = more ? FloatVector.fromArray(FLOATS, y, at1) : FloatVector.zero(FLOATS);
        var high1 = more ? FloatVector.fromArray(FLOATS, y, at1 + WIDTH) : FloatVector.zero(FLOATS);
        var low2 = more ? FloatVector.fromArray(FLOATS, y, at2) : FloatVector.zero(FLOATS);
        var high2 = more ? FloatVector.fromArray(FLOATS, y, at2 + WIDTH) : FloatVector.zero(FLOATS);
        var low3 = more ? FloatVector.fromArray(FLOATS, y, at3) : FloatVector.zero(FLOATS);
        var high3 = more ? FloatVector.fromArray(FLOATS, y, at3 + WIDTH) : FloatVector.zero(FLOATS);
        var low4 = more ? FloatVector.fromArray(FLOATS, y, at4) : FloatVector.zero(FLOATS);
        var high4 = more ? FloatVector.fromArray(FLOATS, y, at4 + WIDTH) : FloatVector.zero(FLOATS);
        var low5 = more ? FloatVector.fromArray(FLOATS, y, at5) : FloatVector.zero(FLOATS);
        var high5 = more ? FloatVector.fromArray(FLOATS, y, at5 + WIDTH) : FloatVector.zero(FLOATS);
        var low6 = more ? FloatVector.fromArray(FLOATS, y, at6) : FloatVector.zero(FLOATS);
        var high6 = more ? FloatVector.fromArray(FLOATS, y, at6 + WIDTH) : FloatVector.zero(FLOATS);
        var low7 = more ? FloatVector.fromArray(FLOATS, y, at7) : FloatVector.zero(FLOATS);
        var high7 = more ? FloatVector.fromArray(FLOATS, y, at7 + WIDTH) : FloatVector.zero(FLOATS);
        for (int column = 0; column < columns; column++) {
            int at = from + column * PANEL;
            var low = FloatVector.fromArray(FLOATS, panel, at);
            var high = FloatVector.fromArray(FLOATS, panel, at + WIDTH);
            int xs = xAt + column * 8;
            var x0 = FloatVector.broadcast(FLOATS, x[xs]);
            low0 = x0.fma(low, low0);
            high0 = x0.fma(high, high0);
            var x1 = FloatVector.broadcast(FLOATS, x[xs + 1]);
            low1 = x1.fma(low, low1);
            high1 = x1.fma(high, high1);
            var x2 = FloatVector.broadcast(FLOATS, x[xs + 2]);
            low2 = x2.fma(low, low2);
            high2 = x2.fma(high, high2);
            var x3 = FloatVector.broadcast(FLOATS, x[xs + 3]);
            low3 = x3.fma(low, low3);
            high3 = x3.fma(high, high3);
            var x4 = FloatVector.broadcast(FLOATS, x[xs + 4]);
            low4 = x4.fma(low, low4);
            high4 = x4.fma(high, high4);
            var x5 = FloatVector.broadcast(FLOATS, x[xs + 5]);
            low5 = x5.fma(low, low5);
            high5 = x5.fma(high, high5);
            var x6 = FloatVector.broadcast(FLOATS, x[xs + 6]);
            low6 = x6.fma(low, low6);
            high6 = x6.fma(high, high6);
            var x7 = FloatVector.broadcast(FLOATS, x[xs + 7]);
            low7 = x7.fma(low, low7);
            high7 = x7.fma(high, high7);
        }
        low0.intoArray(y, at0);
        high0.intoArray(y, at0 + WIDTH);
        low1.intoArray(y, at1);
        high1.intoArray(y, at1 + WIDTH);
        low2.intoArray(y, at2);
        high2.intoArray(y, at2 + WIDTH);
        low3.intoArray(y, at3);
        high3.intoArray(y, at3 + WIDTH);
        low4.intoArray(y, at4);
        high4.intoArray(y, at4 + WIDTH);
        low5.intoArray(y, at5);
        high5.intoArray(y, at5 + WIDTH);
        low6.intoArray(y, at6);
        high6.intoArray(y, at6 + WIDTH);
        low7.intoArray(y, at7);
        high7.intoArray(y, at7 + WIDTH);
    }
}
