package dev.outrider.nn.network;

import java.util.OptionalInt;

/// Determines the cache rows to which the rows of one block attend.
///
/// Every row sees the committed rows, and those of the other rows that its block's mask allows; a sliding window hides rows whose
/// position is `window` or more before its own (docs/reference/algorithms.md A13.1).
///
/// @param rows   the cache, the block's own rows already appended
/// @param first  cache row of the block's first row
/// @param block  the block
/// @param window number of positions a row sees, its own included; empty means all
public record Visibility(RowCache rows, int first, RowBlock block, OptionalInt window) {
    /// Returns whether a row of the block attends to a row of the cache.
    public boolean sees(int row, int cacheRow) {
        return masked(row, cacheRow) && inWindow(row, cacheRow);
    }

    private boolean masked(int row, int cacheRow) {
        if (cacheRow < rows.length()) {
            return true;
        }
        return switch (block.mask()) {
            case RowMask.Causal() -> cacheRow <= first + row;
            case RowMask.Ancestors(var visible) -> visible.get(row).get(cacheRow - rows.length());
        };
    }

    private boolean inWindow(int row, int cacheRow) {
        return window.isEmpty()
                || rows.position(first + row) - rows.position(cacheRow) < window.getAsInt();
    }
}
