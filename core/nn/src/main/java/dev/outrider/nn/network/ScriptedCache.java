package dev.outrider.nn.network;

import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorOps;
import dev.outrider.nn.runtime.TensorThread;
import dev.outrider.nn.runtime.TorchScript;
import dev.outrider.nn.runtime.TorchValue;
import java.util.Arrays;

/// Keys and values of the scripted network: one tensor `[layers, 2, key-value heads, capacity, head size]`, so that
/// rows of all layers move in one operation.
final class ScriptedCache extends TensorCache {
    private final TorchScript script;
    private final Tensor tensor;

    ScriptedCache(DecoderConfig config, ElementType type, TorchScript script, int capacity) {
        super(capacity);
        this.script = script;
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

    Tensor tensor() {
        return tensor;
    }

    @Override
    protected void move(int[] kept, int destination) {
        TensorThread.enterInference();
        try (var cache = TorchValue.of(tensor);
                var source = TorchValue.ofLongs(Arrays.stream(kept).asLongStream().toArray());
                var target = TorchValue.of(destination);
                var done = script.call("keep", cache, source, target)) {
            assert done.toLong() == kept.length;
        }
    }
}
