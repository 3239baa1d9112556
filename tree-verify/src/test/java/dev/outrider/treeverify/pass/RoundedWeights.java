package dev.outrider.treeverify.pass;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;
import java.lang.foreign.ValueLayout;

/// Weights of which the matrices were rounded to binary16 by the JDK.
///
/// @param exact what is rounded
record RoundedWeights(DecoderConfig config, WeightSource exact) implements WeightSource {
    @Override
    public Tensor load(Weight weight, int layer, ElementType type, PtNDManager manager) {
        long[] shape = weight.shape(config, layer);
        var tensor = exact.load(weight, layer, type, manager);
        if (shape.length == 1) {
            return tensor;
        }
        try (tensor) {
            return Tensor.of(manager.create(floats(tensor), new Shape(shape)));
        }
    }

    private static float[] floats(Tensor tensor) {
        float[] numbers = tensor.memory().toArray(ValueLayout.JAVA_FLOAT);
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = Float.float16ToFloat(Float.floatToFloat16(numbers[index]));
        }
        return numbers;
    }
}
