package dev.outrider.nn.network;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TensorThread;

/// Keys and values of the reference network: per layer one array `[key-value heads, capacity, head size]` each.
final class ReferenceCache extends TensorCache {
    private final NDArray[] keys;
    private final NDArray[] values;

    ReferenceCache(DecoderConfig config, int capacity) {
        super(capacity);
        keys = new NDArray[config.layers()];
        values = new NDArray[config.layers()];
        var shape = new Shape(config.keyValueHeads(), capacity, config.headSize());
        for (int layer = 0; layer < keys.length; layer++) {
            keys[layer] = manager.zeros(shape);
            values[layer] = manager.zeros(shape);
        }
    }

    /// Keys of the used rows, shape `[key-value heads, used(), head size]`.
    NDArray keys(int layer) {
        return keys[layer].get(range(0, used()));
    }

    /// Values of the used rows, shape `[key-value heads, used(), head size]`.
    NDArray values(int layer) {
        return values[layer].get(range(0, used()));
    }

    /// Stores new rows of shape `[n, key-value heads, head size]`.
    void write(int layer, int first, NDArray newKeys, NDArray newValues) {
        var target = range(first, first + (int) newKeys.getShape().get(0));
        keys[layer].set(target, newKeys.transpose(1, 0, 2));
        values[layer].set(target, newValues.transpose(1, 0, 2));
    }

    @Override
    protected void move(int[] kept, int destination) {
        TensorThread.enterInference();
        try (var moving = TensorRuntime.newManager()) {
            var source = moving.create(kept);
            var target = range(destination, destination + kept.length);
            for (int layer = 0; layer < keys.length; layer++) {
                move(keys[layer], source, target);
                move(values[layer], source, target);
            }
        }
    }

    private static void move(NDArray array, NDArray source, NDIndex target) {
        // Indexing copies, so overlapping rows are safe.
        try (var copy = array.get(new NDIndex(":, {}, :", source))) {
            array.set(target, copy);
        }
    }

    private static NDIndex range(int from, int to) {
        return new NDIndex(":, {}:{}, :", from, to);
    }
}
