package dev.outrider.drafter.eagle;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowCache;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A draft layer without arithmetic: a row's logits are a function of the tokens and features of the rows up to it. Counts the rows
/// of its passes.
final class TableLayer implements FeatureNetwork {
    private final int vocabulary;
    private final int seed;
    private final double spread;
    final List<Integer> passRows = new ArrayList<>();

    TableLayer(int vocabulary, int seed, double spread) {
        this.vocabulary = vocabulary;
        this.seed = seed;
        this.spread = spread;
    }

    /// Returns the logits after some rows.
    ///
    /// @param rows token and feature of each
    float[] logitsAfter(List<List<Float>> rows) {
        var random = new Random(31L * seed + rows.hashCode());
        var logits = new float[vocabulary];
        for (int token = 0; token < vocabulary; token++) {
            logits[token] = (float) (spread * random.nextGaussian());
        }
        return logits;
    }

    @Override
    public DecoderConfig config() {
        return DecoderConfig.builder()
                .vocabularySize(vocabulary)
                .hiddenSize(4)
                .intermediateSize(4)
                .layers(1)
                .heads(1)
                .keyValueHeads(1)
                .headSize(4)
                .maxPositions(128)
                .build()
                .fused(
                        FusionConfig.of(FusionConfig.Join.WIDE_FIRST_LAYER, 1, vocabulary)
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
    public PassResult forward(RowBlock block, FeatureRows features, PassOutputs outputs) {
        var plan = PassPlan.of(List.of(block), outputs, config());
        features.check(plan.rows(), config());
        var cache = (Cache) block.cache();
        cache.rows.subList(cache.used(), cache.rows.size()).clear();
        float[] given = features.memory().toArray(ValueLayout.JAVA_FLOAT);
        var logits = new ArrayList<float[]>();
        for (int row = 0; row < given.length; row++) {
            if (block.positions()[row] != cache.rows.size()) {
                throw new AssertionError(
                        "row %d at position %d"
                                .formatted(cache.rows.size(), block.positions()[row]));
            }
            cache.append(new int[] {block.positions()[row]});
            cache.rows.add(List.of((float) block.tokens()[row], given[row]));
            logits.add(logitsAfter(cache.rows));
        }
        passRows.add(given.length);
        return new Result(plan.logitRow(), logits);
    }

    @Override
    public void close() {}

    private static final class Cache extends RowCache {
        private final List<List<Float>> rows = new ArrayList<>();

        Cache(int rows) {
            super(rows);
        }

        @Override
        protected void move(int[] kept, int destination) {
            throw new IllegalStateException("rows of masks are last");
        }

        @Override
        public void close() {}
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Result(int[] logitRow, List<float[]> values) implements PassResult {
        @Override
        public int rows() {
            return values.size();
        }

        @Override
        public MemorySegment logits(int row) {
            if (logitRow[row] < 0) {
                throw new AssertionError("not asked for: row %d".formatted(row));
            }
            return MemorySegment.ofArray(values.get(row));
        }

        @Override
        public MemorySegment hidden(HiddenState which, int row) {
            throw new AssertionError("no states were asked for");
        }

        @Override
        public void close() {}
    }
}
