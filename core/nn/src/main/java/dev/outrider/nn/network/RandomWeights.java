package dev.outrider.nn.network;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/// Random weights of a given shape, for benchmarks and tests. Matrices are scaled by `gain / sqrt(in)` so that
/// activations keep their size; norms lie around 1; biases are small. The same seed gives the same weights,
/// whatever the order they are read in.
public final class RandomWeights implements WeightSource {
    /// Numbers of a piece that is drawn in order.
    private static final long PIECE = 1 << 16;

    private final DecoderConfig config;
    private final long seed;
    private final double gain;

    /// @param gain standard deviation of a matrix times the square root of its input width
    public RandomWeights(DecoderConfig config, long seed, double gain) {
        this.config = config;
        this.seed = seed;
        this.gain = gain;
    }

    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        try (var arena = Arena.ofShared()) {
            reader.accept(floats(weight, layer, arena));
        }
    }

    private MemorySegment floats(Weight weight, int layer, Arena arena) {
        long[] shape = weight.shape(config, layer);
        long ofWeight = seed * 1_000_003 + layer * 101L + weight.ordinal();
        boolean zeroCentred =
                config.fusion()
                        .filter(each -> each.has(FusionConfig.Switch.ZERO_CENTRED_NORMS))
                        .isPresent();
        long elements = weight.elements(config, layer);
        var memory = arena.allocate(ValueLayout.JAVA_FLOAT, elements);
        double centre = weight.norm() && !zeroCentred ? 1 : 0;
        double deviation = shape.length == 1 ? 0.1 : gain / Math.sqrt(shape[1]);
        // Each piece has a generator of its own, so that all processors can fill a matrix.
        LongStream.range(0, Math.ceilDiv(elements, PIECE))
                .parallel()
                .forEach(piece -> {
                    var random = new SplittableRandom(ofWeight * 1_000_003 + piece);
                    long end = Math.min(elements, (piece + 1) * PIECE);
                    for (long index = piece * PIECE; index < end; index++) {
                        memory.setAtIndex(
                                ValueLayout.JAVA_FLOAT,
                                index,
                                (float) (centre + deviation * draw(random)));
                    }
                });
        return memory;
    }

    /// Zero mean, unit variance, and much cheaper than a normal deviate for a thousand million weights.
    private static double draw(RandomGenerator random) {
        return (random.nextInt() * 0x1p-31) * 1.7320508;
    }
}
