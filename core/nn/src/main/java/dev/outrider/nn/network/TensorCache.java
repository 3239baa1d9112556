package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.TensorRuntime;

/// A cache whose keys and values are tensors that it owns.
abstract class TensorCache extends RowCache {
    /// Owns the tensors.
    final PtNDManager manager = TensorRuntime.newManager();

    TensorCache(int capacity) {
        super(capacity);
    }

    @Override
    public void close() {
        manager.close();
    }
}
