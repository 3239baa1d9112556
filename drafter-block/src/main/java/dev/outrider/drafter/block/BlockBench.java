package dev.outrider.drafter.block;

import dev.outrider.drafting.bench.HeadBench;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.vector.VectorBlockNetwork;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/// The configuration of `bench-draft block`.
public record BlockBench(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Layers of the backbone.") @Default("2") int layers,
        @Doc("Captured states of a position.") @Default("3") int captured,
        @Doc("Slots of a block.") @Default("8") int blockSize,
        @Doc("Guesses taken from a block, at most its slots.") @Default("5") int length,
        @Doc("Positions of the context that come new with a round.") @Default("3") int fed,
        @Doc("Tokens of the head, 0 for all of the target's.") @Default("0") int draftVocabulary,
        @Doc("Width of a vanilla Markov head's embeddings; 0 for none.") @Default("0")
                int markovRank,
        @Doc("Times each variant is measured.") @Default("20") int turns) {
    public BlockBench {
        HeadBench.requirePositive(
                "layers, captured, blockSize, length and fed",
                layers,
                captured,
                blockSize,
                length,
                fed);
        if (length > blockSize
                || draftVocabulary < 0
                || draftVocabulary > target.decoder().vocabularySize()
                || markovRank < 0) {
            throw new IllegalArgumentException(
                    "length %d, draftVocabulary %d or markovRank %d does not fit a block of %d or the shape"
                            .formatted(length, draftVocabulary, markovRank, blockSize));
        }
    }

    /// `bench-draft block`.
    public static final class Bench extends HeadBench<BlockBench> {
        public Bench() {
            super(
                    "block",
                    BlockBench.class,
                    "Times a whole block draft, DFlash's or DSpark's, against a target pass of one row.",
                    "A draft is a round's new context, one pass over the block and the head for the guesses taken; over the number of guesses it is c.",
                    "bench-draft block --shape tinyllama-1.1b --layers 1 --length 5",
                    "bench-draft block --shape tinyllama-1.1b --layers 1 --length 8 --markov-rank 256");
        }

        @Override
        protected Plan plan(BlockBench config) {
            return new Plan(
                    config.target(),
                    config.fed() + config.blockSize(),
                    config.turns(),
                    config.length(),
                    target -> new Round(config, target),
                    "draft of %d from %d slots".formatted(config.length(), config.blockSize()),
                    "%d layers, %d new positions, Markov rank %d"
                            .formatted(config.layers(), config.fed(), config.markovRank()),
                    OptionalDouble.empty());
        }
    }

    private DecoderConfig backbone() {
        var shape = target.decoder();
        return shape.toBuilder()
                .layers(layers)
                .tiedHead(false)
                .queryKeyNorm(true)
                .build()
                .fused(
                        FusionConfig.of(
                                        FusionConfig.Join.CONTEXT,
                                        shape.hiddenSize(),
                                        draftVocabulary == 0
                                                ? shape.vocabularySize()
                                                : draftVocabulary)
                                .capturing(captured, FusionConfig.CapturedNorm.NONE)
                                .with(
                                        FusionConfig.Switch.REDUCTION,
                                        FusionConfig.Switch.FEATURE_NORM,
                                        FusionConfig.Switch.FIRST_INPUT_NORM,
                                        FusionConfig.Switch.OUTPUT_NORM)
                                .with(draftVocabulary > 0, FusionConfig.Switch.OWN_HEAD));
    }

    /// One round over random weights.
    private static final class Round implements HeadBench.TimedDraft {
        private final BlockBench config;
        private final Arena arena = Arena.ofConfined();
        private final BlockNetwork backbone;
        private final KvCache context;
        private final FeatureRows fresh;
        private final Optional<VectorLinear> markov;
        private final int width;
        private final int before;

        Round(BlockBench config, VectorNetwork target) {
            this.config = config;
            var layers = config.backbone();
            var precision = config.target().precision();
            width = layers.fusion().orElseThrow().headSize();
            backbone =
                    new VectorBlockNetwork(
                            layers,
                            new RandomWeights(layers, 2, HeadBench.GAIN),
                            precision,
                            Optional.of(target));
            before = config.target().context();
            context = backbone.newCache(before + config.fed() + config.blockSize());
            backbone.keep(context, features(before));
            fresh = features(config.fed());
            int rank = config.markovRank();
            markov =
                    rank == 0
                            ? Optional.empty()
                            : Optional.of(
                                    VectorLinear.of(
                                            "Markov head",
                                            random(Math.multiplyExact(width, rank)),
                                            width,
                                            rank,
                                            precision,
                                            Optional.empty()));
        }

        @Override
        public void draft() {
            var tokens = new int[config.blockSize()];
            Arrays.fill(tokens, 1);
            backbone.keep(context, fresh);
            var states = backbone.states(context, tokens);
            int length = config.length();
            var logits = new float[length * width];
            int size = backbone.config().hiddenSize();
            backbone.head(Arrays.copyOf(states, length * size), length, logits);
            markov.ifPresent(projection -> walk(projection, logits));
        }

        @Override
        public void reset() {
            context.truncate(before);
        }

        @Override
        public void close() {
            markov.ifPresent(VectorLinear::close);
            context.close();
            backbone.close();
            arena.close();
        }

        /// Adds a vanilla Markov head's bias along a chain, slot after slot.
        private void walk(VectorLinear projection, float[] logits) {
            var embedding = random(config.markovRank());
            var bias = new float[width];
            for (int slot = 0; slot < config.length(); slot++) {
                projection.apply(embedding, 1, bias);
                for (int token = 0; token < width; token++) {
                    logits[slot * width + token] += bias[token];
                }
            }
        }

        private FeatureRows features(int rows) {
            long numbers = (long) rows * backbone.config().fusion().orElseThrow().capturedWidth();
            var memory = arena.allocate(ValueLayout.JAVA_FLOAT, numbers);
            for (long index = 0; index < numbers; index++) {
                memory.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) Math.sin(index));
            }
            return new FeatureRows(memory, rows, FeatureRows.Source.TARGET);
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
