package dev.outrider.treeverify.pass;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.TreeMap;

/// Hands out runs of consecutive cache rows to sequences, the lowest that fits. Thread-safe.
final class RowPool {
    private final int rows;

    /// First row to length of the runs that are out.
    private final TreeMap<Integer, Integer> taken = new TreeMap<>();

    RowPool(int rows) {
        this.rows = rows;
    }

    /// Takes a run.
    ///
    /// @return its first row
    /// @throws OutriderException `OUT_OF_MEMORY` if no gap is that long
    synchronized int take(int length) {
        int start = 0;
        int longest = 0;
        for (var run : taken.entrySet()) {
            int gap = run.getKey() - start;
            if (gap >= length) {
                taken.put(start, length);
                return start;
            }
            longest = Math.max(longest, gap);
            start = run.getKey() + run.getValue();
        }
        longest = Math.max(longest, rows - start);
        if (longest < length) {
            throw new OutriderException(
                    ErrorCode.OUT_OF_MEMORY,
                    "a sequence of %d tokens was asked for, but the longest free run of the device's %d cache rows has %d"
                            .formatted(length, rows, longest),
                    "Raise target.cacheRows, open shorter or fewer sequences, or close some.");
        }
        taken.put(start, length);
        return start;
    }

    /// Gives a run back.
    synchronized void release(int start) {
        taken.remove(start);
    }
}
