package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.TensorRuntime;
import java.util.List;

/// A cache whose keys and values are tensors that it owns.
abstract class TensorCache implements KvCache {
    /// Owns the tensors.
    final PtNDManager manager = TensorRuntime.newManager();

    private final CacheRows rows;

    TensorCache(int capacity) {
        rows = new CacheRows(capacity);
    }

    /// Copies rows of all layers to other places.
    ///
    /// @param kept        rows, ascending
    /// @param destination where the first of them goes; the others follow it
    abstract void move(int[] kept, int destination);

    CacheRows rows() {
        return rows;
    }

    @Override
    public int length() {
        return rows.length();
    }

    @Override
    public int used() {
        return rows.used();
    }

    @Override
    public int capacity() {
        return rows.capacity();
    }

    @Override
    public void keep(List<Integer> scratchRows) {
        int destination = rows.length();
        int[] kept = rows.keep(scratchRows);
        if (!CacheRows.inPlace(kept, destination)) {
            move(kept, destination);
        }
    }

    @Override
    public void truncate(int length) {
        rows.truncate(length);
    }

    @Override
    public void close() {
        manager.close();
    }
}
