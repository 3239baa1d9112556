package dev.outrider.treeverify.pass;

import dev.outrider.nn.checkpoint.HalfFloats;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Consumer;

/// Weights with rounded matrices: to binary16 by the JDK, or to levels. With levels, an embedding that is not the head is rounded
/// to bfloat16.
///
/// @param exact the weights to round
record RoundedWeights(DecoderConfig config, WeightSource exact, WeightFormat format)
        implements WeightSource {
    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        long[] shape = weight.shape(config, layer);
        if (shape.length == 1) {
            exact.read(weight, layer, reader);
            return;
        }
        exact.read(
                weight,
                layer,
                tensor -> {
                    float[] numbers = tensor.toArray(ValueLayout.JAVA_FLOAT);
                    if (format == WeightFormat.F16) {
                        toBinary16(numbers);
                    } else if (weight == Weight.EMBEDDING && !config.tiedHead()) {
                        toBfloat16(numbers);
                    } else {
                        toLevels(numbers, format, (int) shape[1]);
                    }
                    reader.accept(MemorySegment.ofArray(numbers));
                });
    }

    private static void toBinary16(float[] numbers) {
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = Float.float16ToFloat(Float.floatToFloat16(numbers[index]));
        }
    }

    private static void toBfloat16(float[] numbers) {
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = HalfFloats.fromBfloat16(HalfFloats.toBfloat16(numbers[index]));
        }
    }

    /// Rounds rows of numbers.
    static void toLevels(float[] numbers, WeightFormat format, int size) {
        var levels = new byte[Levels.BLOCK];
        for (int row = 0; row < numbers.length; row += size) {
            for (int first = row; first < row + size; first += Levels.BLOCK) {
                int end = Math.min(first + Levels.BLOCK, row + size);
                var block = Arrays.copyOf(Arrays.copyOfRange(numbers, first, end), Levels.BLOCK);
                var kept = Levels.ofBits(format.bits()).orElseThrow();
                float scale = Float.float16ToFloat(kept.round(block, levels));
                for (int index = first; index < end; index++) {
                    numbers[index] = levels[index - first] * scale;
                }
            }
        }
    }
}
