package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorOps;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TensorThread;
import dev.outrider.nn.runtime.TorchScript;
import dev.outrider.nn.runtime.TorchValue;
import java.util.Arrays;
import java.util.List;

/// Keys and values of the scripted network: one tensor `[layers, 2, key-value heads, capacity, head size]`, so that
/// rows of all layers move in one operation.
final class ScriptedCache implements KvCache {
    private final PtNDManager manager = TensorRuntime.newManager();
    private final TorchScript script;
    private final CacheRows rows;
    private final Tensor tensor;

    ScriptedCache(DecoderConfig config, ElementType type, TorchScript script, int capacity) {
        this.script = script;
        rows = new CacheRows(capacity);
        tensor =
                TensorOps.get()
                        .zeros(
                                type,
                                manager,
                                config.layers(),
                                2,
                                config.keyValueHeads(),
                                capacity,
                                config.headSize());
    }

    CacheRows rows() {
        return rows;
    }

    Tensor tensor() {
        return tensor;
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
        if (CacheRows.inPlace(kept, destination)) {
            return;
        }
        TensorThread.enterInference();
        try (var cache = TorchValue.of(tensor);
                var source = TorchValue.ofLongs(Arrays.stream(kept).asLongStream().toArray());
                var target = TorchValue.of(destination);
                var done = script.call("keep", cache, source, target)) {
            assert done.toLong() == kept.length;
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
