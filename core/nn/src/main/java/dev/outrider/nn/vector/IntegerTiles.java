package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;

import dev.outrider.nn.vector.Tiles.Tile;
import java.lang.foreign.MemorySegment;

/// Multiplies the rows of a tile, in levels, by two panels whose codes are in the order for integers.
///
/// Products of codes and levels are added as integers, over at most [RoundedRows#BLOCK] columns with the same scales of row and
/// output. These sums are exact in every order. Each sum is converted to a float and multiplied by the row's scale; then a fused
/// multiply-add with the output's scale adds it. If there are offsets, the product of the offset, the sum of the row's levels and
/// the row's scale is added too. So an output of a row is one sequence of operations over the columns.
interface IntegerTiles {
    /// Columns that are multiplied before their sums are scaled; a multiple of every block's columns.
    int CHUNK = 512;

    /// Sums products of integers of some columns.
    ///
    /// @param memory   memory of the panels
    /// @param first    first byte of these columns in the first panel
    /// @param second   first byte of these columns in the second panel, which may be the first one
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

    /// Returns the object that scales its sums.
    Scaling scaling();

    /// Returns tiles of a format and a number of rows, in a separate class.
    static IntegerTiles of(BlockFormat format, int rows) {
        var file = format.bits() == Byte.SIZE ? "FormatBytes.class" : "FormatIntegers.class";
        return (IntegerTiles) Tiles.define(file, new Tile(format, rows));
    }

    /// Returns the columns that have the same scales of row and output.
    static int step(BlockFormat format) {
        return Math.min(RoundedRows.BLOCK, format.group());
    }

    /// Returns the columns of a step that fit one sum of 16-bit integers: at most 2^15 divided by half the number of codes and by
    /// 127.
    static int run(BlockFormat format) {
        return Math.min(step(format), 512 >> format.bits());
    }

    /// Scales sums of integers.
    interface Scaling {
        /// Scales the sums of a tile's products, and adds them.
        ///
        /// @param scales scales of the panels, `[2, groups, rows of scales, PANEL]`
        /// @param sums   `[rows of the tile, 2, PANEL]`
        /// @param at     start of the sums
        void scale(
                Sums integers,
                float[] scales,
                RoundedRows x,
                int tile,
                int column,
                int columns,
                float[] sums,
                int at);

        /// Returns the object of a tile, in a separate class.
        static Scaling of(Tile tile) {
            return (Scaling) Tiles.define("FormatSums.class", tile);
        }
    }

    /// Sums of integers of a chunk, `[sums, rows of the tile, 2, PANEL]`. Reused; each thread has its own.
    final class Sums {
        private static final int ROWS_OF_SUMS = RoundedRows.TILE * 2 * PANEL;

        /// Sums of 16 bits, of outputs of the panel's halves, alternating.
        final short[] sums = new short[CHUNK / RoundedRows.LEAST * ROWS_OF_SUMS];

        /// Sums of products of bytes, which are exact in floats.
        final float[] floats = new float[CHUNK / RoundedRows.BLOCK * ROWS_OF_SUMS];

        private final GrowingMemory memory = new GrowingMemory();
        private float[] products = new float[0];
        private int[] exact = new int[0];

        /// Returns native memory of 32-bit floats.
        MemorySegment memory(long count) {
            return memory.of(count * Float.BYTES);
        }

        /// Returns memory for sums of integers.
        int[] exact(int count) {
            if (exact.length < count) {
                exact = new int[count];
            }
            return exact;
        }

        /// Returns memory for products.
        float[] products(int count) {
            if (products.length < count) {
                products = new float[count];
            }
            return products;
        }
    }
}
