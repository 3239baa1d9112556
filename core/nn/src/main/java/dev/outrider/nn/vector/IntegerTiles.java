package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;

import java.lang.foreign.MemorySegment;

/// Multiplies the rows of a tile, in levels, by two panels whose codes are in the order for integers.
///
/// Products of codes and levels are added as integers, over at most [RoundedRows#BLOCK] columns that have the same scales on both
/// sides: exact, in every order. Then the sum, as a float, is multiplied by the row's scale and, fused, by the output's, and added;
/// an offset times the sum of the row's levels and its scale follows. So an output of a row is one chain of operations over the columns.
interface IntegerTiles {
    /// Columns that are multiplied before their sums are scaled; a multiple of every block's columns.
    int CHUNK = 512;

    /// Sums products of integers of some columns.
    ///
    /// @param memory   of the panels
    /// @param first    first byte of these columns in the first panel
    /// @param second   the same of the second; may be the first
    /// @param x        the rows
    /// @param tile     number of the tile
    /// @param column   the first of the columns, a multiple of [#CHUNK]
    /// @param columns  number of columns, at most [#CHUNK], a multiple of a block's
    /// @param integers receives the sums
    void multiply(
            MemorySegment memory,
            long first,
            long second,
            RoundedRows x,
            int tile,
            int column,
            int columns,
            Sums integers);

    /// Scales the sums of [#multiply], and adds them.
    ///
    /// @param scales the panels', `[2, groups, rows of scales, PANEL]`
    /// @param sums   `[rows of the tile, 2, PANEL]`
    /// @param at     their start
    void scale(
            Sums integers,
            float[] scales,
            RoundedRows x,
            int tile,
            int column,
            int columns,
            float[] sums,
            int at);

    /// Returns tiles of a format and so many rows, in a class of their own.
    static IntegerTiles of(BlockFormat format, int rows) {
        return (IntegerTiles) Tiles.define("FormatIntegers.class", new Tiles.Tile(format, rows));
    }

    /// Sums of integers of a chunk, `[sums, rows of the tile, 2, PANEL]`. Reused; each thread has its own.
    final class Sums {
        /// Sums of outputs of the panel's halves, alternating.
        final short[] sums = new short[CHUNK / RoundedRows.LEAST * RoundedRows.TILE * 2 * PANEL];

        private float[] products = new float[0];

        /// Returns memory for products.
        float[] products(int count) {
            if (products.length < count) {
                products = new float[count];
            }
            return products;
        }
    }
}
