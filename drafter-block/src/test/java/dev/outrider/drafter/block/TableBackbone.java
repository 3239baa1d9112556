package dev.outrider.drafter.block;

import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowCache;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

/// A backbone whose states are random numbers that depend on the context's features, the anchor and the slot. Counts its passes.
final class TableBackbone implements BlockNetwork {
    static final int HIDDEN = 4;

    private final int vocabulary;
    private final int seed;
    private final double spread;
    int passes;

    TableBackbone(int vocabulary, int seed, double spread) {
        this.vocabulary = vocabulary;
        this.seed = seed;
        this.spread = spread;
    }

    @Override
    public DecoderConfig config() {
        return DecoderConfig.builder()
                .vocabularySize(vocabulary)
                .hiddenSize(HIDDEN)
                .intermediateSize(4)
                .layers(1)
                .heads(1)
                .keyValueHeads(1)
                .headSize(4)
                .maxPositions(128)
                .build()
                .fused(
                        FusionConfig.of(FusionConfig.Join.CONTEXT, 1, vocabulary)
                                .with(
                                        FusionConfig.Switch.REDUCTION,
                                        FusionConfig.Switch.FIRST_INPUT_NORM,
                                        FusionConfig.Switch.OUTPUT_NORM,
                                        FusionConfig.Switch.OWN_EMBEDDING,
                                        FusionConfig.Switch.OWN_HEAD));
    }

    @Override
    public KvCache newCache(int rows) {
        return new Cache(rows);
    }

    @Override
    public void keep(KvCache cache, FeatureRows features) {
        var own = (Cache) cache;
        for (float feature : features.memory().toArray(ValueLayout.JAVA_FLOAT)) {
            own.append(new int[] {own.length()});
            own.keep(List.of(0));
            own.features.add(feature);
        }
    }

    @Override
    public PassResult forward(RowBlock block, FeatureRows features, PassOutputs outputs) {
        throw new UnsupportedOperationException();
    }

    @Override
    public float[] states(
            KvCache cache,
            Optional<FeatureRows> features,
            int[] tokens,
            int first,
            float[] logits) {
        passes++;
        features.ifPresent(each -> keep(cache, each));
        var states = states(((Cache) cache).features, tokens[0], tokens.length);
        int rows = logits.length / vocabulary;
        head(Arrays.copyOfRange(states, first * HIDDEN, (first + rows) * HIDDEN), rows, logits);
        return states;
    }

    /// The same for a context of tokens.
    float[] states(List<Float> context, int anchor, int slots) {
        var states = new float[slots * HIDDEN];
        for (int slot = 0; slot < slots; slot++) {
            var random = new Random(Objects.hash(seed, context, anchor, slot));
            for (int index = 0; index < HIDDEN; index++) {
                states[slot * HIDDEN + index] = (float) random.nextGaussian();
            }
        }
        return states;
    }

    void head(float[] states, int rows, float[] logits) {
        var random = new Random(seed);
        var matrix = random.doubles((long) vocabulary * HIDDEN, -spread, spread).toArray();
        for (int row = 0; row < rows; row++) {
            for (int token = 0; token < vocabulary; token++) {
                double sum = 0;
                for (int index = 0; index < HIDDEN; index++) {
                    sum += matrix[token * HIDDEN + index] * states[row * HIDDEN + index];
                }
                logits[row * vocabulary + token] = (float) sum;
            }
        }
    }

    @Override
    public void close() {}

    private static final class Cache extends RowCache {
        private final List<Float> features = new ArrayList<>();

        Cache(int rows) {
            super(rows);
        }

        @Override
        protected void move(int[] kept, int destination) {
            throw new IllegalStateException("a context moves no rows");
        }

        @Override
        public void close() {}
    }
}
