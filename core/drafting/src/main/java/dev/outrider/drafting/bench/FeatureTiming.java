package dev.outrider.drafting.bench;

import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.vector.VectorFeatureNetwork;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/// Drafts of layers that read the target's features, over random weights and features.
public final class FeatureTiming implements HeadBench.TimedDraft {
    private final FeatureNetwork network;
    private final KvCache cache;
    private final int guesses;
    private final int rows;

    /// @param guesses of a draft
    /// @param rows    of the one pass that makes them; 0 for a chain of passes
    private FeatureTiming(
            VectorNetwork target,
            TimedTarget timed,
            int layers,
            FusionConfig fusion,
            int guesses,
            int rows) {
        this.guesses = guesses;
        this.rows = rows;
        var config = layers(timed, layers, fusion);
        network =
                new VectorFeatureNetwork(
                        config,
                        new RandomWeights(config, 2, HeadBench.GAIN),
                        timed.precision(),
                        Optional.of(target));
        cache = network.newCache(timed.context() + Math.max(guesses, rows));
        int context = timed.context();
        int width = fusion.capturedWidth();
        try (var arena = Arena.ofConfined()) {
            var memory = arena.allocate(ValueLayout.JAVA_FLOAT, (long) context * width);
            for (long index = 0; index < (long) context * width; index++) {
                memory.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) Math.sin(index));
            }
            network.forward(
                            RowBlock.continuing(
                                    cache,
                                    IntStream.range(0, context).map(index -> index % 97).toArray()),
                            new FeatureRows(memory, context, FeatureRows.Source.TARGET),
                            new PassOutputs(PassOutputs.LogitRows.NONE, Set.of()))
                    .close();
            cache.keep(IntStream.range(0, context).boxed().toList());
        }
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
                turns,
                length,
                target -> new FeatureTiming(target, timed, 1, fusion, length, 0),
                "%s, chain of %d".formatted(drafter, length),
                "head of %d tokens".formatted(fusion.headSize()),
                OptionalDouble.of(stepBytes(timed, fusion) / passBytes));
    }

    /// Returns a plan of drafts in one pass: a round's new rows, and one row for every guess after the first.
    ///
    /// @param drafter its name in the report
    /// @param fed     new rows of a round
    public static HeadBench.Plan onePass(
            String drafter,
            TimedTarget timed,
            int layers,
            FusionConfig fusion,
            int fed,
            int length,
            int turns) {
        HeadBench.requirePositive("layers, fed, length and turns", layers, fed, length, turns);
        int rows = fed + length - 1;
        return new HeadBench.Plan(
                timed,
                rows,
                turns,
                length,
                target -> new FeatureTiming(target, timed, layers, fusion, length, rows),
                "%s, draft of %d".formatted(drafter, length),
                "%d layers, %d new rows, head of %d tokens"
                        .formatted(layers, fed, fusion.headSize()),
                OptionalDouble.empty());
    }

    @Override
    public void draft() {
        if (rows > 0) {
            onePass();
        } else {
            chain();
        }
    }

    @Override
    public void reset() {
        cache.dropScratch();
    }

    @Override
    public void close() {
        cache.close();
        network.close();
    }

    private void chain() {
        var state = new HiddenState.AfterLayer(1);
        var outputs = new PassOutputs(PassOutputs.LogitRows.ALL, Set.of(state));
        var recycled = new float[network.config().hiddenSize()];
        Arrays.fill(recycled, 0.1f);
        try (var arena = Arena.ofConfined()) {
            var memory = arena.allocateFrom(ValueLayout.JAVA_FLOAT, recycled);
            var features = new FeatureRows(memory, 1, FeatureRows.Source.RECYCLED);
            for (int step = 0; step < guesses; step++) {
                try (var result =
                        network.forward(RowBlock.continuing(cache, 7 + step), features, outputs)) {
                    memory.copyFrom(result.hidden(state, 0));
                }
            }
        }
    }

    private void onePass() {
        var features = new float[rows * network.config().fusion().orElseThrow().capturedWidth()];
        Arrays.fill(features, 0.1f);
        var tokens = new int[rows];
        Arrays.fill(tokens, 1);
        try (var arena = Arena.ofConfined()) {
            var memory = arena.allocateFrom(ValueLayout.JAVA_FLOAT, features);
            network.forward(
                            RowBlock.continuing(cache, tokens),
                            new FeatureRows(memory, rows, FeatureRows.Source.TARGET),
                            PassOutputs.lastLogits(guesses))
                    .close();
        }
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
