package dev.outrider.nn.vector;

import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowMask;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// A block drafter's backbone in the passes of [VectorNetwork]. What it does not have itself, embedding and head, it reads from its
/// target's memory.
public final class VectorBlockNetwork implements BlockNetwork {
    private static final HiddenState LAST = new HiddenState.AfterFinalNorm();
    private static final PassOutputs STATES =
            new PassOutputs(PassOutputs.LogitRows.NONE, Set.of(LAST));

    private final VectorPasses passes;

    /// Loads all weights.
    ///
    /// @param config a configuration whose [DecoderConfig#fusion] joins by a context
    /// @param lender the target's network, for backbones without embedding or head; it must stay open
    public VectorBlockNetwork(
            DecoderConfig config,
            WeightSource source,
            Precision precision,
            Optional<VectorNetwork> lender) {
        if (config.fusion().filter(each -> each.join() == FusionConfig.Join.CONTEXT).isEmpty()) {
            throw new IllegalArgumentException("a block drafter's backbone has a context");
        }
        passes = VectorPasses.of(config, source, precision, lender.map(VectorNetwork::passes));
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
    public void keep(KvCache cache, FeatureRows features) {
        int rows = features.rows();
        features.check(rows, config());
        if (cache.used() != cache.length() || cache.length() + rows > cache.capacity()) {
            throw new IllegalArgumentException(
                    "%d rows of context for a cache of %d with %d rows, %d of them committed"
                            .formatted(rows, cache.capacity(), cache.used(), cache.length()));
        }
        passes.keep(
                cache, features, IntStream.range(cache.length(), cache.length() + rows).toArray());
    }

    @Override
    public float[] states(KvCache cache, int... tokens) {
        int rows = tokens.length;
        var all = new BitSet();
        all.set(0, rows);
        var block =
                new RowBlock(
                        cache,
                        tokens,
                        IntStream.range(cache.length(), cache.length() + rows).toArray(),
                        new RowMask.Ancestors(Collections.nCopies(rows, all)));
        var plan = PassPlan.of(List.of(block), STATES, config());
        int size = config().hiddenSize();
        var states = new float[rows * size];
        try (var result = passes.forward(plan, STATES, Optional.empty())) {
            for (int row = 0; row < rows; row++) {
                var state = result.hidden(LAST, row).toArray(ValueLayout.JAVA_FLOAT);
                System.arraycopy(state, 0, states, row * size, size);
            }
        } finally {
            cache.dropScratch();
        }
        return states;
    }

    @Override
    public void head(float[] states, int rows, float[] logits) {
        passes.head(states, rows, logits);
    }

    @Override
    public void close() {
        passes.close();
    }
}
