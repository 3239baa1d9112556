package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.tree.TokenTree;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;

/// Random small decoders, trees and token runs for tests, all from one seed.
final class Cases {
    private final RandomGenerator random;

    Cases(long seed) {
        random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    DecoderConfig config() {
        int keyHeads = 1 + random.nextInt(3);
        int heads = keyHeads * (1 + random.nextInt(3));
        int headSize = 4 * (1 + random.nextInt(4));
        int layers = 1 + random.nextInt(3);
        return DecoderConfig.builder()
                .vocabularySize(31)
                .hiddenSize(random.nextBoolean() ? heads * headSize : 24)
                .intermediateSize(40)
                .layers(layers)
                .heads(heads)
                .keyValueHeads(keyHeads)
                .headSize(headSize)
                .maxPositions(64)
                .tiedHead(random.nextBoolean())
                .queryKeyValueBias(random.nextBoolean())
                .outputBias(random.nextBoolean())
                .feedForwardBias(random.nextBoolean())
                .queryKeyNorm(random.nextBoolean())
                .slidingWindow(
                        random.nextBoolean()
                                ? OptionalInt.of(3 + random.nextInt(6))
                                : OptionalInt.empty())
                .firstWindowLayer(random.nextInt(layers))
                .ropeScaling(scaling())
                .build();
    }

    private RopeScaling scaling() {
        return switch (random.nextInt(4)) {
            case 0 -> new RopeScaling.Unscaled();
            case 1 -> new RopeScaling.Linear(2);
            case 2 -> new RopeScaling.Llama3(8, 1, 4, 32);
            default -> new RopeScaling.Yarn(4, 32, 1, 16, 1.1, true);
        };
    }

    int[] tokens(int count) {
        return random.ints(count, 0, 31).toArray();
    }

    TokenTree tree(int nodes) {
        var builder = TokenTree.builder(random.nextInt(31));
        for (int node = 1; node < nodes; node++) {
            builder.add(random.nextInt(builder.size()), random.nextInt(31));
        }
        return builder.build();
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    static int[] pathTokens(TokenTree tree, int node) {
        int[] path = tree.path(node);
        for (int index = 0; index < path.length; index++) {
            path[index] = tree.token(path[index]);
        }
        return path;
    }

    static void prefill(DecoderNetwork network, KvCache cache, int... tokens) {
        try (var unused =
                network.forward(
                        List.of(RowBlock.continuing(cache, tokens)),
                        new PassOutputs(PassOutputs.LogitRows.NONE, Set.of()))) {
            cache.keep(IntStream.range(0, tokens.length).boxed().toList());
        }
    }

    static float[] floats(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_FLOAT);
    }

    static float[][] logits(PassResult result) {
        var rows = new float[result.rows()][];
        for (int row = 0; row < rows.length; row++) {
            rows[row] = floats(result.logits(row));
        }
        return rows;
    }

    /// Random switches of a draft layer for a target of the same width.
    FusionConfig fusion(int hiddenSize) {
        var join = FusionConfig.Join.values()[random.nextInt(4)];
        boolean wide = join.wide();
        boolean reduction = random.nextBoolean();
        var norm =
                reduction
                        ? FusionConfig.CapturedNorm.values()[random.nextInt(3)]
                        : FusionConfig.CapturedNorm.NONE;
        boolean ownHead = random.nextBoolean();
        return FusionConfig.builder(join, hiddenSize, ownHead ? 17 : 31)
                .captured(reduction ? 1 + random.nextInt(3) : 1)
                .joinBias(!wide && random.nextBoolean())
                .reduction(reduction)
                .capturedNorm(norm)
                .embeddingNorm(!wide && random.nextBoolean())
                .featureNorm(!wide && random.nextBoolean())
                .firstInputNorm(wide || random.nextBoolean())
                .normedResidual(wide && random.nextBoolean())
                .outputNorm(random.nextBoolean())
                .zeroCentredNorms(random.nextBoolean())
                .gatedQueries(random.nextBoolean())
                .maskFirstPosition(random.nextBoolean())
                .ownEmbedding(random.nextBoolean())
                .ownHead(ownHead)
                .build();
    }

    /// Random rows in memory that lives as long as the result.
    FeatureRows features(int rows, int width, FeatureRows.Source source) {
        var memory = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, (long) rows * width);
        for (long index = 0; index < (long) rows * width; index++) {
            memory.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) random.nextGaussian());
        }
        return new FeatureRows(memory, rows, source);
    }

    static void assertClose(float[] actual, float[] expected, double tolerance) {
        double length = 0;
        double difference = 0;
        for (int index = 0; index < expected.length; index++) {
            length += Math.pow(expected[index], 2);
            difference += Math.pow(actual[index] - expected[index], 2);
        }
        assertThat(Math.sqrt(difference / length)).isLessThanOrEqualTo(tolerance);
    }
}
