package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorOps;

/// Weights that bfloat16 can hold, so that only arithmetic differs between precisions.
record RoundedWeights(WeightSource source) implements WeightSource {
    @Override
    public Tensor load(Weight weight, int layer, ElementType type, PtNDManager manager) {
        try (var rounded = source.load(weight, layer, ElementType.BF16, manager)) {
            return TensorOps.get().convert(rounded, type, manager);
        }
    }
}
