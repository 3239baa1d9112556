package dev.outrider.nn.vector;

import dev.outrider.common.Require;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.WeightSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A draft layer, or a block drafter's backbone, with the passes of [VectorNetwork]. If it has no embedding or no head, it uses
/// the target's.
public final class VectorFeatureNetwork implements BlockNetwork {
    private final VectorPasses passes;

    /// Loads all weights. The rows that matrices of integers multiply have the target's format.
    ///
    /// @param config a configuration with [DecoderConfig#fusion]
    /// @param lender the target's network, for layers without an embedding or a head; it must stay open
    public VectorFeatureNetwork(
            DecoderConfig config,
            WeightSource source,
            Precision precision,
            Optional<VectorNetwork> lender) {
        Require.that(config.fusion().isPresent(), "an ordinary decoder takes no features");
        passes =
                VectorPasses.of(
                        config,
                        source,
                        precision,
                        lender.map(VectorNetwork::rowPrecision).orElse(RowPrecision.INT8),
                        lender.map(VectorNetwork::passes));
    }

    @Override
    public DecoderConfig config() {
        return passes.config();
    }

    @Override
    public KvCache newCache(int rows) {
        return passes.newCache(rows);
    }

    @Override
    public PassResult forward(RowBlock block, FeatureRows features, PassOutputs outputs) {
        var plan = PassPlan.of(List.of(block), outputs, config());
        features.check(plan.rows(), config());
        return passes.forward(plan, outputs, Optional.of(features));
    }

    @Override
    public void keep(KvCache cache, FeatureRows features) {
        int rows = features.rows();
        features.check(rows, config());
        Require.that(
                cache.used() == cache.length() && cache.length() + rows <= cache.capacity(),
                "%d rows of context for a cache of %d with %d rows, %d of them committed",
                rows,
                cache.capacity(),
                cache.used(),
                cache.length());
        passes.keep(
                cache, features, IntStream.range(cache.length(), cache.length() + rows).toArray());
    }

    @Override
    public float[] states(
            KvCache cache,
            Optional<FeatureRows> features,
            int[] tokens,
            int first,
            float[] logits) {
        features.ifPresent(each -> keep(cache, each));
        try {
            float[] states = passes.states(RowBlock.mutual(cache, tokens));
            int rows = logits.length / config().fusion().orElseThrow().headSize();
            int size = config().hiddenSize();
            var guessing = Arrays.copyOfRange(states, first * size, (first + rows) * size);
            passes.head(guessing, rows, logits);
            return states;
        } finally {
            cache.dropScratch();
        }
    }

    @Override
    public void close() {
        passes.close();
    }
}
