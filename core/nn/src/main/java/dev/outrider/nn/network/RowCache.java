package dev.outrider.nn.network;

import dev.outrider.common.Require;
import java.util.List;

/// A cache that counts its rows and knows the position of each, and moves those that are kept out of place.
///
/// Confined to one thread.
public abstract class RowCache implements KvCache {
    private final int[] positions;
    private int length;
    private int used;

    /// @param capacity rows there is room for, at least 1
    protected RowCache(int capacity) {
        Require.that(capacity >= 1, "capacity %d is not positive", capacity);
        positions = new int[capacity];
    }

    /// Moves keys and values of rows, in all layers, to other places.
    ///
    /// @param kept        rows, ascending
    /// @param destination where the first of them goes; the others follow it
    protected abstract void move(int[] kept, int destination);

    @Override
    public final int length() {
        return length;
    }

    @Override
    public final int used() {
        return used;
    }

    @Override
    public final int capacity() {
        return positions.length;
    }

    public final int position(int row) {
        return positions[row];
    }

    /// Takes free rows as scratch rows, for the network that writes them.
    ///
    /// @throws IllegalArgumentException if there are too few
    public final void append(int[] newPositions) {
        Require.that(
                used + newPositions.length <= positions.length,
                "%d rows do not fit: %d of %d are used",
                newPositions.length,
                used,
                positions.length);
        System.arraycopy(newPositions, 0, positions, used, newPositions.length);
        used += newPositions.length;
    }

    @Override
    public final void keep(List<Integer> scratchRows, int committed) {
        Require.that(
                committed >= 0 && committed <= scratchRows.size(),
                "%d of %d kept rows cannot be committed",
                committed,
                scratchRows.size());
        int destination = length;
        var kept = new int[scratchRows.size()];
        int previous = -1;
        for (int index = 0; index < kept.length; index++) {
            int row = scratchRows.get(index);
            Require.that(
                    row > previous && row < used - length,
                    "scratch rows %s are not strictly ascending and below %d",
                    scratchRows,
                    used - length);
            kept[index] = length + row;
            previous = row;
        }
        for (int index = 0; index < kept.length; index++) {
            positions[length + index] = positions[kept[index]];
        }
        used = length + kept.length;
        length += committed;
        boolean inPlace = kept.length == 0 || kept[kept.length - 1] == used - 1;
        if (!inPlace) {
            move(kept, destination);
        }
    }

    @Override
    public final void truncate(int newLength) {
        Require.that(
                newLength >= 0 && newLength <= length,
                "length %d is not between 0 and %d",
                newLength,
                length);
        length = newLength;
        used = newLength;
    }
}
