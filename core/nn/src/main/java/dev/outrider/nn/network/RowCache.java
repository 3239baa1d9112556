package dev.outrider.nn.network;

import java.util.List;

/// A cache that counts its rows, and moves those that are kept out of place.
///
/// Confined to one thread.
public abstract class RowCache implements KvCache {
    private final CacheRows rows;

    /// @param capacity rows there is room for, at least 1
    protected RowCache(int capacity) {
        rows = new CacheRows(capacity);
    }

    /// Moves keys and values of rows, in all layers, to other places.
    ///
    /// @param kept        rows, ascending
    /// @param destination where the first of them goes; the others follow it
    protected abstract void move(int[] kept, int destination);

    /// Which rows are in use. Shared: appending is the network's.
    public final CacheRows rows() {
        return rows;
    }

    @Override
    public final int length() {
        return rows.length();
    }

    @Override
    public final int used() {
        return rows.used();
    }

    @Override
    public final int capacity() {
        return rows.capacity();
    }

    @Override
    public final void keep(List<Integer> scratchRows, int committed) {
        int destination = rows.length();
        int[] kept = rows.keep(scratchRows, committed);
        if (!CacheRows.inPlace(kept, destination)) {
            move(kept, destination);
        }
    }

    @Override
    public final void truncate(int length) {
        rows.truncate(length);
    }
}
