package dev.outrider.nn.network;

import java.util.Arrays;
import java.util.List;

/// Which rows of a cache are committed, scratch or free, and the position of each. Holds no keys or values.
///
/// Confined to one thread.
public final class CacheRows {
    private final int[] positions;
    private int length;
    private int used;

    /// No rows used yet.
    ///
    /// @param capacity rows there is room for, at least 1
    public CacheRows(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity %d is not positive".formatted(capacity));
        }
        positions = new int[capacity];
    }

    /// Committed rows.
    public int length() {
        return length;
    }

    /// Committed and scratch rows.
    public int used() {
        return used;
    }

    /// Rows there is room for.
    public int capacity() {
        return positions.length;
    }

    public int position(int row) {
        return positions[row];
    }

    /// Takes free rows as scratch rows.
    ///
    /// @throws IllegalArgumentException if there are too few
    public void append(int[] newPositions) {
        if (used + newPositions.length > positions.length) {
            throw new IllegalArgumentException(
                    "%d rows do not fit: %d of %d are used"
                            .formatted(newPositions.length, used, positions.length));
        }
        System.arraycopy(newPositions, 0, positions, used, newPositions.length);
        used += newPositions.length;
    }

    /// Keeps scratch rows, whose keys and values the caller then moves, and drops the others.
    ///
    /// @param scratchRows relative to the committed rows, strictly ascending
    /// @param committed   how many of them, from the first, are committed; the others stay scratch rows
    /// @return the rows that become `length(), length() + 1, …` of the state before
    public int[] keep(List<Integer> scratchRows, int committed) {
        if (committed < 0 || committed > scratchRows.size()) {
            throw new IllegalArgumentException(
                    "%d of %d kept rows cannot be committed"
                            .formatted(committed, scratchRows.size()));
        }
        var kept = new int[scratchRows.size()];
        int previous = -1;
        for (int index = 0; index < kept.length; index++) {
            int row = scratchRows.get(index);
            if (row <= previous || row >= used - length) {
                throw new IllegalArgumentException(
                        "scratch rows %s are not strictly ascending and below %d"
                                .formatted(scratchRows, used - length));
            }
            kept[index] = length + row;
            previous = row;
        }
        for (int index = 0; index < kept.length; index++) {
            positions[length + index] = positions[kept[index]];
        }
        used = length + kept.length;
        length += committed;
        return kept;
    }

    /// Makes committed rows from `newLength` on scratch rows again, before those there are.
    public void reopen(int newLength) {
        if (newLength < 0 || newLength > length) {
            throw new IllegalArgumentException(
                    "length %d is not between 0 and %d".formatted(newLength, length));
        }
        length = newLength;
    }

    /// Drops scratch rows and committed rows from `newLength` on.
    public void truncate(int newLength) {
        if (newLength < 0 || newLength > length) {
            throw new IllegalArgumentException(
                    "length %d is not between 0 and %d".formatted(newLength, length));
        }
        length = newLength;
        used = newLength;
    }

    /// Whether kept rows lie where they belong already.
    static boolean inPlace(int[] kept, int destination) {
        return kept.length == 0
                || (kept[0] == destination
                        && kept[kept.length - 1] == destination + kept.length - 1);
    }

    @Override
    public String toString() {
        return "CacheRows[length=%d, used=%d, positions=%s]"
                .formatted(length, used, Arrays.toString(Arrays.copyOf(positions, used)));
    }
}
