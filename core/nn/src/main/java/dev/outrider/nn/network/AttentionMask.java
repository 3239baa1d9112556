package dev.outrider.nn.network;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.OptionalInt;

/// The additive mask of one block for layers of one window, as short as possible.
///
/// @param firstKey first cache row any row of the block sees
/// @param needed   whether some row does not see all cache rows from there on
record AttentionMask(Visibility visibility, int rows, int firstKey, boolean needed) {
    static AttentionMask of(CacheRows cache, int first, RowBlock block, OptionalInt window) {
        int rows = block.tokens().length;
        var visibility = new Visibility(cache, first, block, window);
        int firstKey = 0;
        if (window.isPresent()) {
            while (!seenByAny(visibility, rows, firstKey)) {
                firstKey++;
            }
        }
        boolean causal = block.mask() instanceof RowMask.Causal;
        if (rows == 1 && causal && window.isEmpty()) {
            return new AttentionMask(visibility, rows, 0, false);
        }
        return new AttentionMask(
                visibility, rows, firstKey, !allSeen(visibility, rows, firstKey, cache.used()));
    }

    /// The mask's memory, `[rows, used - firstKey]` 32-bit floats: 0 where a row looks, minus infinity elsewhere.
    MemorySegment write(Arena arena) {
        int columns = visibility.rows().used() - firstKey;
        var mask = arena.allocate(ValueLayout.JAVA_FLOAT, (long) rows * columns);
        // Without a window every row sees all committed rows.
        int firstHidden = visibility.window().isEmpty() ? visibility.rows().length() - firstKey : 0;
        for (int row = 0; row < rows; row++) {
            for (int column = firstHidden; column < columns; column++) {
                if (!visibility.sees(row, firstKey + column)) {
                    mask.setAtIndex(
                            ValueLayout.JAVA_FLOAT,
                            (long) row * columns + column,
                            Float.NEGATIVE_INFINITY);
                }
            }
        }
        return mask;
    }

    /// The mask as a tensor over `arena`'s memory; one of no elements where none is needed.
    Tensor tensor(PtNDManager manager, Arena arena) {
        if (!needed) {
            return Tensor.of(manager.create(new float[0], new Shape(0, 0)));
        }
        return Tensor.ofFloats(
                manager, write(arena), rows, visibility.rows().used() - (long) firstKey);
    }

    private static boolean seenByAny(Visibility visibility, int rows, int cacheRow) {
        for (int row = 0; row < rows; row++) {
            if (visibility.sees(row, cacheRow)) {
                return true;
            }
        }
        return false;
    }

    private static boolean allSeen(Visibility visibility, int rows, int from, int to) {
        for (int row = 0; row < rows; row++) {
            for (int column = to - 1; column >= from; column--) {
                if (!visibility.sees(row, column)) {
                    return false;
                }
            }
        }
        return true;
    }
}
