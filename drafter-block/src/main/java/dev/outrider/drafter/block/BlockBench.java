package dev.outrider.drafter.block;

import dev.outrider.common.Ticker;
import dev.outrider.nn.bench.Sample;
import dev.outrider.nn.bench.WarmUp;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.nn.vector.VectorBlockNetwork;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Times a round of block drafting against a target pass of one row, both over random weights of a given shape. The two take turns, so
/// that a neighbour's load falls on both alike.
final class BlockBench {
    private static final double GAIN = 0.8;

    private BlockBench() {}

    /// Median seconds.
    ///
    /// @param targetSeconds a pass of one row
    /// @param draftSeconds  a whole draft
    record Report(double targetSeconds, double draftSeconds) {
        double ratio() {
            return draftSeconds / targetSeconds;
        }
    }

    /// @param turnDone called before every turn; what it throws ends the measurement
    /// @throws IllegalArgumentException if a number is not positive or does not fit
    static Report run(BlockBenchConfig config, Runnable turnDone, Ticker clock) {
        check(config);
        VectorMachine.require();
        var timed = config.target();
        PassThreads.use(timed.threads());
        turnDone.run();
        var shape = timed.decoder();
        var layers = layers(shape, config);
        try (var target =
                        new VectorNetwork(
                                shape, new RandomWeights(shape, 1, GAIN), timed.precision());
                var backbone =
                        new VectorBlockNetwork(
                                layers,
                                new RandomWeights(layers, 2, GAIN),
                                timed.precision(),
                                Optional.of(target));
                var markov = new Walk(config, layers);
                var cache = target.newCache(timed.context() + 1);
                var context =
                        backbone.newCache(timed.context() + config.fed() + config.blockSize());
                var arena = Arena.ofConfined()) {
            var features = features(timed.context(), layers, arena);
            backbone.keep(context, features);
            fill(target, cache, timed.context());
            var fresh = features(config.fed(), layers, arena);
            var passes = new double[config.turns()];
            var drafts = new double[config.turns()];
            WarmUp.run(
                    () -> {
                        pass(target, cache, clock);
                        draft(config, backbone, context, fresh, markov, clock);
                    },
                    clock);
            for (int turn = 0; turn < config.turns(); turn++) {
                turnDone.run();
                passes[turn] = pass(target, cache, clock);
                drafts[turn] = draft(config, backbone, context, fresh, markov, clock);
            }
            return new Report(Sample.of(passes).median(), Sample.of(drafts).median());
        }
    }

    private static void check(BlockBenchConfig config) {
        for (int number :
                new int[] {
                    config.layers(),
                    config.captured(),
                    config.blockSize(),
                    config.length(),
                    config.fed(),
                    config.turns(),
                    config.target().threads(),
                    config.target().context()
                }) {
            if (number < 1) {
                throw new IllegalArgumentException(
                        "layers, captured, block size, length, fed, turns, threads and context must be positive: "
                                + config);
            }
        }
        int positions = config.target().context() + config.fed() + config.blockSize();
        if (config.length() > config.blockSize()
                || config.draftVocabulary() < 0
                || config.draftVocabulary() > config.target().decoder().vocabularySize()
                || config.markovRank() < 0
                || positions > config.target().decoder().maxPositions()) {
            throw new IllegalArgumentException(
                    "length, draft vocabulary, Markov rank or positions do not fit the block of %d or the shape: %s"
                            .formatted(config.blockSize(), config));
        }
    }

    private static DecoderConfig layers(DecoderConfig shape, BlockBenchConfig config) {
        int tokens = config.draftVocabulary();
        return shape.toBuilder()
                .layers(config.layers())
                .tiedHead(false)
                .queryKeyNorm(true)
                .build()
                .fused(
                        FusionConfig.of(
                                        FusionConfig.Join.CONTEXT,
                                        shape.hiddenSize(),
                                        tokens == 0 ? shape.vocabularySize() : tokens).capturing(config.captured(), FusionConfig.CapturedNorm.NONE).with(FusionConfig.Switch.REDUCTION, FusionConfig.Switch.FEATURE_NORM, FusionConfig.Switch.FIRST_INPUT_NORM, FusionConfig.Switch.OUTPUT_NORM).with(tokens > 0, FusionConfig.Switch.OWN_HEAD));
    }

    private static FeatureRows features(int rows, DecoderConfig layers, Arena arena) {
        long numbers = (long) rows * layers.fusion().orElseThrow().capturedWidth();
        var memory = arena.allocate(ValueLayout.JAVA_FLOAT, numbers);
        for (long index = 0; index < numbers; index++) {
            memory.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) Math.sin(index));
        }
        return new FeatureRows(memory, rows, FeatureRows.Source.TARGET);
    }

    private static void fill(VectorNetwork network, KvCache cache, int rows) {
        var nothing = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of());
        int[] tokens = IntStream.range(0, rows).map(index -> index % 97).toArray();
        network.forward(List.of(RowBlock.continuing(cache, tokens)), nothing).close();
        cache.keep(IntStream.range(0, rows).boxed().toList());
    }

    /// A pass as a drafter needs it: logits and hidden states.
    private static double pass(VectorNetwork target, KvCache cache, Ticker clock) {
        var outputs =
                new PassOutputs(PassOutputs.LogitRows.ALL, Set.of(new HiddenState.AfterLayer(1)));
        long start = clock.nanos();
        target.forward(List.of(RowBlock.continuing(cache, 5)), outputs).close();
        cache.dropScratch();
        return (clock.nanos() - start) / 1e9;
    }

    private static double draft(
            BlockBenchConfig config,
            BlockNetwork backbone,
            KvCache context,
            FeatureRows fresh,
            Walk markov,
            Ticker clock) {
        int before = context.length();
        int size = backbone.config().hiddenSize();
        int width = backbone.config().fusion().orElseThrow().headSize();
        var tokens = new int[config.blockSize()];
        Arrays.fill(tokens, 1);
        long start = clock.nanos();
        backbone.keep(context, fresh);
        var states = backbone.states(context, tokens);
        var logits = new float[config.length() * width];
        backbone.head(Arrays.copyOf(states, config.length() * size), config.length(), logits);
        markov.add(logits, width);
        double seconds = (clock.nanos() - start) / 1e9;
        context.truncate(before);
        return seconds;
    }

    /// A vanilla Markov head along a chain, slot after slot.
    private static final class Walk implements AutoCloseable {
        private final int rank;
        private final int length;
        private final Optional<VectorLinear> projection;

        Walk(BlockBenchConfig config, DecoderConfig layers) {
            rank = config.markovRank();
            length = config.length();
            int width = layers.fusion().orElseThrow().headSize();
            projection =
                    rank == 0
                            ? Optional.empty()
                            : Optional.of(
                                    VectorLinear.of(
                                            "Markov head",
                                            random(Math.multiplyExact(width, rank)),
                                            width,
                                            rank,
                                            config.target().precision(),
                                            Optional.empty()));
        }

        void add(float[] logits, int width) {
            if (projection.isEmpty()) {
                return;
            }
            var embedding = random(rank);
            var bias = new float[width];
            for (int slot = 0; slot < length; slot++) {
                projection.get().apply(embedding, 1, bias);
                for (int token = 0; token < width; token++) {
                    logits[slot * width + token] += bias[token];
                }
            }
        }

        @Override
        public void close() {
            projection.ifPresent(VectorLinear::close);
        }

        private static float[] random(int count) {
            var random = new SplittableRandom(3);
            var numbers = new float[count];
            for (int index = 0; index < count; index++) {
                numbers[index] = (float) (random.nextInt() * 0x1p-31 * 0.05);
            }
            return numbers;
        }
    }
}
