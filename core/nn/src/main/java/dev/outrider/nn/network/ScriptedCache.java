package dev.outrider.nn.network;

import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorOps;
import dev.outrider.nn.runtime.TensorThread;
import dev.outrider.nn.runtime.TorchScript;
import dev.outrider.nn.runtime.TorchValue;
import java.util.Arrays;
import java.util.Optional;

/// Keys and values of the scripted network: one tensor `[layers, 2, key-value heads, capacity, head size]`, so that
/// rows of all layers move in one operation. In an encoder-decoder also those of the sequence's source, which stay as they are.
final class ScriptedCache extends TensorCache {
    private final TorchScript script;
    private final Tensor tensor;
    private final Optional<Tensor> source;

    /// @param source keys and values of what the sequence's encoder read, `[layers, 2, key-value heads, length, head size]`
    ScriptedCache(
            DecoderConfig config,
            ElementType type,
            TorchScript script,
            int capacity,
            Optional<TorchValue> source) {
        super(capacity);
        this.script = script;
        this.source = source.map(value -> value.toTensor(manager));
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

    /// Keys and values of the source.
    Tensor source() {
        return source.orElseThrow(
                () -> new IllegalArgumentException("the cache was made without a source"));
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
