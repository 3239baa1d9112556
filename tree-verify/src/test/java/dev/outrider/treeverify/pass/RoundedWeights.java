package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/// Weights of which the matrices were rounded to binary16 by the JDK.
///
/// @param exact what is rounded
record RoundedWeights(DecoderConfig config, WeightSource exact) implements WeightSource {
    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        if (weight.shape(config, layer).length == 1) {
            exact.read(weight, layer, reader);
            return;
        }
        exact.read(
                weight,
                layer,
                tensor -> {
                    float[] numbers = tensor.toArray(ValueLayout.JAVA_FLOAT);
                    for (int index = 0; index < numbers.length; index++) {
                        numbers[index] = Float.float16ToFloat(Float.floatToFloat16(numbers[index]));
                    }
                    reader.accept(MemorySegment.ofArray(numbers));
                });
    }
}
