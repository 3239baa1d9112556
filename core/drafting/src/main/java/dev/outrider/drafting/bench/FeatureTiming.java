package dev.outrider.drafting.bench;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.feature.FeatureDrafter;
import dev.outrider.drafting.feature.Recycling;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.vector.VectorFeatureNetwork;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.HiddenState;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/// Drafts of layers that read the target's features, over random weights.
public final class FeatureTiming {
    private FeatureTiming() {}

    /// Returns a network of random weights that shares a target's embedding and head.
    public static FeatureNetwork network(
            VectorNetwork target, TimedTarget timed, int layers, FusionConfig fusion) {
        var config = layers(timed, layers, fusion);
        return new VectorFeatureNetwork(
                config,
                new RandomWeights(config, 2, HeadBench.GAIN),
                timed.precision(),
                Optional.of(target));
    }

    /// Returns states that such layers may read.
    public static List<HiddenState> captured(FusionConfig fusion) {
        return IntStream.rangeClosed(1, fusion.captured())
                .<HiddenState>mapToObj(HiddenState.AfterLayer::new)
                .toList();
    }

    /// Returns chains of a length.
    public static Drafting chain(int length) {
        return Drafting.of(new TreePlan.Chain(length));
    }

    /// Returns a plan of a chain: one layer, one pass for each guess.
    ///
    /// @param drafter its name in the report
    public static HeadBench.Plan chain(
            String drafter, TimedTarget timed, FusionConfig fusion, int length, int turns) {
        HeadBench.requirePositive("length and turns", length, turns);
        var shape = timed.decoder();
        double passBytes = ModelBench.bytesPerPass(shape, timed.precision().bits(), Float.BYTES, 0);
        return new HeadBench.Plan(
                timed,
                length,
                1,
                turns,
                length,
                target ->
                        new FeatureDrafter(
                                List.of(network(target, timed, 1, fusion)),
                                captured(fusion),
                                Recycling.BEFORE_NORM,
                                DraftVocabulary.shared(fusion.headSize(), shape.vocabularySize()),
                                chain(length),
                                0,
                                ""),
                "%s, chain of %d".formatted(drafter, length),
                "head of %d tokens".formatted(fusion.headSize()),
                OptionalDouble.of(stepBytes(timed, fusion) / passBytes));
    }

    private static DecoderConfig layers(TimedTarget timed, int layers, FusionConfig fusion) {
        return timed.decoder().toBuilder().layers(layers).tiedHead(false).build().fused(fusion);
    }

    /// Returns the bytes of weights that a step of a chain reads: one layer, what joins it to the features, and a head.
    /// A guess reads one row of the embedding, and no captured states, so that those matrices do not count.
    static long stepBytes(TimedTarget timed, FusionConfig fusion) {
        var layer = layers(timed, 1, fusion);
        long weights = Weight.parameters(layer);
        if (Weight.EMBEDDING.present(layer)) {
            weights -= Weight.EMBEDDING.elements(layer, 0);
        }
        if (!Weight.HEAD.present(layer)) {
            weights += Weight.HEAD.elements(layer, 0);
        }
        if (Weight.REDUCTION.present(layer)) {
            weights -= Weight.REDUCTION.elements(layer, 0);
        }
        return (long) (weights * timed.precision().bits() / Byte.SIZE);
    }
}
