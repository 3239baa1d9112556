package dev.outrider.nn.network;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/// Random weights of a given shape, for benchmarks and tests. Matrices are scaled by `gain / sqrt(in)` so that
/// activations keep their size; norms are near 1; biases are small. The same seed gives the same weights,
/// in every order of reading.
///
/// @param gain standard deviation of a matrix times the square root of its input width
public record RandomWeights(DecoderConfig config, long seed, double gain) implements WeightSource {
    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        draw(weight, layer, weight.elements(config, layer), reader);
    }

    @Override
    public void readRows(Weight weight, int layer, Consumer<MemorySegment> reader) {
        draw(weight, layer, readingBytes(config, weight, layer) / Float.BYTES, reader);
    }

    @Override
    public long readingBytes(DecoderConfig of, Weight weight, int layer) {
        long[] shape = weight.shape(config, layer);
        return shape.length == 1
                ? shape[0] * Float.BYTES
                : CheckpointWeights.atOnce(shape) * shape[1] * Float.BYTES;
    }

    /// Gives a weight's numbers to a reader.
    ///
    /// @param most numbers at a time
    private void draw(Weight weight, int layer, long most, Consumer<MemorySegment> reader) {
        long[] shape = weight.shape(config, layer);
        var random =
                RandomGeneratorFactory.of("L64X128MixRandom")
                        .create(seed * 1_000_003 + layer * 101L + weight.ordinal());
        boolean zeroCentred =
                config.fusion()
                        .filter(each -> each.has(FusionConfig.Switch.ZERO_CENTRED_NORMS))
                        .isPresent();
        long elements = weight.elements(config, layer);
        double centre = weight.norm() && !zeroCentred ? 1 : 0;
        double deviation = shape.length == 1 ? 0.1 : gain / Math.sqrt(shape[1]);
        try (var arena = Arena.ofConfined()) {
            var memory = arena.allocate(ValueLayout.JAVA_FLOAT, most);
            for (long first = 0; first < elements; first += most) {
                long count = Math.min(most, elements - first);
                for (long index = 0; index < count; index++) {
                    memory.setAtIndex(
                            ValueLayout.JAVA_FLOAT,
                            index,
                            (float) (centre + deviation * draw(random)));
                }
                reader.accept(memory.asSlice(0, count * Float.BYTES));
            }
        }
    }

    /// Zero mean and unit variance, and much faster than a normal deviate for a thousand million weights.
    private static double draw(RandomGenerator random) {
        return (random.nextInt() * 0x1p-31) * 1.7320508;
    }
}
