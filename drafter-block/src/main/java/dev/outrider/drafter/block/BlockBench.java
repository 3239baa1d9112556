package dev.outrider.drafter.block;

import dev.outrider.common.Require;
import dev.outrider.drafter.block.BlockLayout.Slots;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.bench.FeatureTiming;
import dev.outrider.drafting.bench.HeadBench;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.vector.VectorFeatureNetwork;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

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
        Require.that(
                length <= blockSize
                        && draftVocabulary >= 0
                        && draftVocabulary <= target.decoder().vocabularySize()
                        && markovRank >= 0,
                "length %d, draftVocabulary %d or markovRank %d does not fit a block of %d or the shape",
                length,
                draftVocabulary,
                markovRank,
                blockSize);
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
        public Set<String> drafters() {
            return Set.of();
        }

        @Override
        protected Plan plan(BlockBench config) {
            return new Plan(
                    config.target(),
                    config.fed() + config.blockSize(),
                    config.fed(),
                    config.turns(),
                    config.length(),
                    config::drafter,
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

    private BlockDrafter drafter(VectorNetwork network) {
        var layers = backbone();
        var fusion = layers.fusion().orElseThrow();
        var precision = target.precision();
        return new BlockDrafter(
                new VectorFeatureNetwork(
                        layers,
                        new RandomWeights(layers, 2, HeadBench.GAIN),
                        precision,
                        Optional.of(network)),
                markovRank == 0 ? Optional.empty() : Optional.of(markov(fusion, precision)),
                Optional.empty(),
                new Slots(blockSize, 1, true),
                FeatureTiming.captured(fusion),
                DraftVocabulary.shared(fusion.headSize(), layers.vocabularySize()),
                FeatureTiming.chain(length),
                0,
                0,
                "");
    }

    /// Returns a vanilla Markov head of random weights.
    private MarkovHead markov(FusionConfig fusion, Precision precision) {
        int hidden = target.decoder().hiddenSize();
        int tokens = target.decoder().vocabularySize();
        var projection = HeadTensors.random("markov_w2", fusion.headSize(), markovRank);
        return new MarkovHead(
                new HeadForm.Markov(markovRank, HeadForm.Type.VANILLA),
                hidden,
                fusion.headSize(),
                HeadTensors.random("markov_w1", tokens, markovRank).numbers(),
                VectorLinear.of(
                        projection.name(),
                        projection.numbers(),
                        projection.rows(),
                        projection.columns(),
                        precision,
                        Optional.empty()),
                Optional.empty());
    }
}
