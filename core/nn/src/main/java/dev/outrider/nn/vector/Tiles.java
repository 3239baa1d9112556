package dev.outrider.nn.vector;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.constant.ConstantDescs;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/// Multiplies the rows of a tile by panels.
interface Tiles {
    /// Multiplies.
    ///
    /// @param memory  of the panels
    /// @param from    first byte of the first
    /// @param size    bytes of a panel
    /// @param panels  number of panels
    /// @param scales  theirs, `[panels, groups, rows of scales, PANEL]`
    /// @param x       the tile: the rows' numbers of a column side by side, `[columns, rows]`
    /// @param y       receives the products, row after row, those of a panel behind those of the one before
    /// @param stride  from a row of `y` to the next
    /// @param columns number of columns
    /// @param adds    whether `y` has the sums over the columns before; of 32-bit numbers
    void multiply(
            MemorySegment memory,
            long from,
            long size,
            int panels,
            float[] scales,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            int stride,
            int columns,
            boolean adds);

    /// Computes a panel's numbers, as they multiply. Of the class for no rows.
    ///
    /// @param from    first byte of the first column
    /// @param scales  of these columns
    /// @param columns number of columns
    /// @param into    gets them, in the layout of 32-bit numbers
    void unpack(MemorySegment memory, long from, float[] scales, int columns, MemorySegment into);

    /// The key of a class of tiles.
    ///
    /// @param rows rows of a tile: 1, 2, 4 or 8; 0 to compute the panel's numbers
    record Tile(BlockFormat format, int rows) {}

    /// Returns tiles of a format and so many rows, in a class of their own. Otherwise the compiler takes one class's loop for all
    /// formats, and calls a method for every vector that it should read.
    static Tiles of(BlockFormat format, int rows) {
        return (Tiles) define("FormatTiles.class", new Tile(format, rows));
    }

    /// Makes an object of a class that is defined again for a tile.
    static Object define(String file, Tile tile) {
        try (var bytes = Tiles.class.getResourceAsStream(file)) {
            if (bytes == null) {
                throw new IllegalStateException(file + " is not beside Tiles");
            }
            return MethodHandles.lookup()
                    .defineHiddenClassWithClassData(bytes.readAllBytes(), tile, true)
                    .lookupClass()
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Returns the tile that a class was defined for.
    ///
    /// @param lookup the class's
    static Tile tile(MethodHandles.Lookup lookup) {
        try {
            return MethodHandles.classData(lookup, ConstantDescs.DEFAULT_NAME, Tile.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
