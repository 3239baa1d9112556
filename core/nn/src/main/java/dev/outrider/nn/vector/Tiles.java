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
    /// @param memory  memory of the panels
    /// @param from    first byte of the first panel
    /// @param size    bytes of a panel
    /// @param panels  number of panels
    /// @param scales  scales of the panels, `[panels, groups, rows of scales, PANEL]`
    /// @param x       the tile: the rows' numbers of a column are adjacent, `[columns, rows]`
    /// @param y       receives the products, row after row, in the order of the panels
    /// @param stride  numbers from the start of a row of `y` to the start of the next
    /// @param columns number of columns
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
            int columns);

    /// Computes a panel's numbers with the values that products use.
    interface Unpacker {
        /// Computes the numbers of some columns.
        ///
        /// @param from    first byte of the first column
        /// @param scales  scales of these columns
        /// @param columns number of columns
        /// @param into    receives the numbers, in the layout of 32-bit numbers
        void unpack(
                MemorySegment memory, long from, float[] scales, int columns, MemorySegment into);

        /// Returns the object for a format, of a separate class.
        static Unpacker of(BlockFormat format) {
            return (Unpacker) define("FormatTiles.class", new Tile(format, 0));
        }
    }

    /// The format and the number of rows of a class of tiles.
    ///
    /// @param rows rows of a tile: 1, 2, 4 or 8; 0 to compute the panel's numbers
    record Tile(BlockFormat format, int rows) {}

    /// Returns tiles of a format and a number of rows, in a separate class. With one class, the compiler would compile one loop
    /// for all formats, and call a method for every vector.
    static Tiles of(BlockFormat format, int rows) {
        return (Tiles) define("FormatTiles.class", new Tile(format, rows));
    }

    /// Defines a class again for a tile, and returns an object of it.
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
    /// @param lookup lookup of the class
    static Tile tile(MethodHandles.Lookup lookup) {
        try {
            return MethodHandles.classData(lookup, ConstantDescs.DEFAULT_NAME, Tile.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
