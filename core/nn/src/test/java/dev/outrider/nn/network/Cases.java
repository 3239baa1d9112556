package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.tree.TokenTree;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;

/// Random small decoders, encoder-decoders, trees and token runs for tests, all from one seed.
final class Cases {
    /// The family whose blocks a model has.
    enum Family {
        LLAMA,
        EXPERTS,
        T5,
        T5_GATED,
        BART,
        MARIAN
    }

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

    /// A random decoder alone, or a random encoder-decoder of a family.
    Model model(Family family, long seed) {
        if (family == Family.LLAMA) {
            return new Model(Model.rounded(config(), seed), Optional.empty());
        }
        if (family == Family.EXPERTS) {
            return new Model(Model.rounded(mixture(), seed), Optional.empty());
        }
        int size = 4 * (2 + random.nextInt(8));
        return new Model(
                Model.rounded(stack(family, size, Part.CROSS_DECODER), seed),
                Optional.of(Model.rounded(stack(family, size, Part.ENCODER), seed + 1)));
    }

    /// A decoder some of whose layers have experts.
    private DecoderConfig mixture() {
        int count = 2 + random.nextInt(6);
        var experts =
                new Experts(
                        count,
                        1 + random.nextInt(count),
                        8 + random.nextInt(40),
                        random.nextBoolean(),
                        random.nextBoolean(),
                        random.nextBoolean()
                                ? OptionalInt.of(8 + random.nextInt(40))
                                : OptionalInt.empty(),
                        1 + random.nextInt(2),
                        Set.of(2));
        return config().toBuilder()
                .feedForwardBias(false)
                .layers(3)
                .form(
                        BlockForm.mixture(experts)
                                .with(
                                        new BlockForm.Scales(
                                                1, 0.5, 1, false, OptionalDouble.empty()))
                                .with(
                                        new BlockForm.Scores(
                                                OptionalDouble.empty(),
                                                OptionalDouble.empty(),
                                                random.nextBoolean())))
                .build();
    }

    /// Stacks of one model differ in depth, in heads and in the width of their feed-forward layers.
    private DecoderConfig stack(Family family, int hiddenSize, Part part) {
        int keyHeads = 1 + random.nextInt(3);
        boolean biased = family == Family.BART || family == Family.MARIAN;
        return DecoderConfig.builder()
                .vocabularySize(31)
                .hiddenSize(hiddenSize)
                .intermediateSize(24 + random.nextInt(20))
                .layers(1 + random.nextInt(3))
                .heads(keyHeads * (1 + random.nextInt(2)))
                .keyValueHeads(keyHeads)
                .headSize(4 + random.nextInt(9))
                .maxPositions(64)
                .tiedHead(family != Family.T5_GATED)
                .queryKeyValueBias(biased)
                .outputBias(biased)
                .feedForwardBias(biased)
                .form(form(family, hiddenSize))
                .part(part)
                .build();
    }

    private static BlockForm form(Family family, int hiddenSize) {
        var relative = new Positions.Relative(8, 12);
        return switch (family) {
            case LLAMA, EXPERTS -> BlockForm.llama();
            case T5 ->
                    BlockForm.t5(
                            BlockForm.Activation.RELU, false, relative, 1 / Math.sqrt(hiddenSize));
            case T5_GATED -> BlockForm.t5(BlockForm.Activation.GELU_TANH, true, relative, 1);
            case BART ->
                    BlockForm.bart(
                            true, BlockForm.Activation.GELU, new Positions.Learned(66, 2), 1);
            case MARIAN ->
                    BlockForm.bart(
                            false,
                            BlockForm.Activation.SILU,
                            new Positions.Sinusoidal(),
                            Math.sqrt(hiddenSize));
        };
    }

    /// A cache of a sequence, whose source only an encoder-decoder reads.
    static KvCache cache(DecoderNetwork network, int rows, int... source) {
        return network instanceof EncoderDecoderNetwork reading
                ? reading.newCache(rows, source)
                : network.newCache(rows);
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

    /// Returns the tokens of an encoder's source.
    int[] source() {
        return tokens(1 + random.nextInt(30));
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
        return FusionConfig.of(join, hiddenSize, ownHead ? 17 : 31)
                .capturing(reduction ? 1 + random.nextInt(3) : 1, norm)
                .with(!wide && random.nextBoolean(), FusionConfig.Switch.JOIN_BIAS)
                .with(reduction, FusionConfig.Switch.REDUCTION)
                .with(!wide && random.nextBoolean(), FusionConfig.Switch.EMBEDDING_NORM)
                .with(!wide && random.nextBoolean(), FusionConfig.Switch.FEATURE_NORM)
                .with(wide || random.nextBoolean(), FusionConfig.Switch.FIRST_INPUT_NORM)
                .with(wide && random.nextBoolean(), FusionConfig.Switch.NORMED_RESIDUAL)
                .with(random.nextBoolean(), FusionConfig.Switch.OUTPUT_NORM)
                .with(random.nextBoolean(), FusionConfig.Switch.ZERO_CENTRED_NORMS)
                .with(random.nextBoolean(), FusionConfig.Switch.GATED_QUERIES)
                .with(random.nextBoolean(), FusionConfig.Switch.MASK_FIRST_POSITION)
                .with(random.nextBoolean(), FusionConfig.Switch.OWN_EMBEDDING)
                .with(ownHead, FusionConfig.Switch.OWN_HEAD);
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
