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
    /// @param rows    1, 2, 4 or 8
    /// @param y       receives the products, row after row, those of a panel behind those of the one before
    /// @param stride  from a row of `y` to the next
    /// @param columns number of columns
    void multiply(
            MemorySegment memory,
            long from,
            long size,
            int panels,
            float[] scales,
            float[] x,
            int xAt,
            int rows,
            float[] y,
            int yAt,
            int stride,
            int columns);

    /// Returns tiles of a format, in a class of their own. Otherwise the compiler takes one class's loop for all formats, and calls
    /// a method for every vector that it should read.
    static Tiles of(BlockFormat format) {
        return (Tiles) define("FormatTiles.class", format);
    }

    /// Makes an object of a class that is defined again for a format.
    static Object define(String file, BlockFormat format) {
        try (var bytes = Tiles.class.getResourceAsStream(file)) {
            if (bytes == null) {
                throw new IllegalStateException(file + " is not beside Tiles");
            }
            return MethodHandles.lookup()
                    .defineHiddenClassWithClassData(bytes.readAllBytes(), format, true)
                    .lookupClass()
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Returns the format that a class was defined for.
    ///
    /// @param lookup the class's
    static BlockFormat format(MethodHandles.Lookup lookup) {
        try {
            return MethodHandles.classData(lookup, ConstantDescs.DEFAULT_NAME, BlockFormat.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
