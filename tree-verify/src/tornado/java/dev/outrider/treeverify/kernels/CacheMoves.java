package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.PassLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Compaction of the cache: rows of accepted paths move behind the committed ones.
public final class CacheMoves {
    private CacheMoves() {}

    /// Moves cache rows in every layer, one after the other in the order given, so that a destination may be a
    /// later source's neighbour. Grid: one work item per column of every layer, which moves its own numbers.
    ///
    /// @param pass     [PassLayout]; its moves are absolute rows, a destination never above its source
    /// @param keys     `[layers, cacheRows, width]`
    /// @param values   as `keys`
    /// @param columns  layers * width
    /// @param width    numbers of a cache row in a layer
    /// @param rows     cacheRows
    /// @param maxRows  most rows of a pass
    /// @param maxMoves most moves of a pass
    public static void compact(
            KernelContext context,
            IntArray pass,
            FloatArray keys,
            FloatArray values,
            int columns,
            int width,
            int rows,
            int maxRows,
            int maxMoves) {
        int item = context.globalIdx;
        int layer = item / width;
        int base = layer * rows * width + (item - layer * width);
        int moves = item < columns ? pass.get(PassLayout.MOVES) : 0;
        int sources = PassLayout.HEAD + PassLayout.SECTIONS * maxRows;
        for (int move = 0; move < moves; move++) {
            int source = base + pass.get(sources + move) * width;
            int destination = base + pass.get(sources + maxMoves + move) * width;
            keys.set(destination, keys.get(source));
            values.set(destination, values.get(source));
        }
    }
}
