package dev.outrider.drafter.eagle;

import dev.outrider.drafting.TinyTarget;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowMask;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// A draft layer that knows the target: from the true feature of position t and token t + 1 it computes the true feature of
/// position t + 1. An error in the input feature becomes an equally large error in the output, so that rows with the wrong feature,
/// the wrong token or the wrong position give the wrong guess.
final class OracleLayer implements FeatureNetwork {
    private static final HiddenState FEATURE = new HiddenState.AfterFinalNorm();

    private final VectorNetwork network = TinyTarget.DEEP.network();
    private final int firstToken;

    /// @param firstToken first token of the sequence; no row of a draft layer contains it
    OracleLayer(int firstToken) {
        this.firstToken = firstToken;
    }

    @Override
    public DecoderConfig config() {
        return TinyTarget.DEEP
                .config()
                .fused(
                        FusionConfig.of(
                                FusionConfig.Join.EMBEDDING_FIRST,
                                TinyTarget.HIDDEN,
                                TinyTarget.VOCABULARY));
    }

    @Override
    public KvCache newCache(int rows) {
        return new Cache(network.newCache(rows + 1));
    }

    @Override
    public PassResult forward(RowBlock block, FeatureRows features, PassOutputs outputs) {
        var cache = (Cache) block.cache();
        int before = cache.truths.size();
        var positions = IntStream.of(block.positions()).map(position -> position + 1).toArray();
        var shifted = new RowBlock(cache.target, block.tokens(), positions, block.mask());
        cache.feed(shifted);
        var states = new ArrayList<float[]>();
        for (int row = 0; row < block.tokens().length; row++) {
            float[] truth = cache.truths.get(before + row);
            float[] given = row(features, row);
            float[] expected = cache.truths.get(parent(block, cache, before, row));
            var state = new float[truth.length];
            for (int i = 0; i < state.length; i++) {
                state[i] = truth[i] + given[i] - expected[i];
            }
            states.add(state);
        }
        return new Result(states);
    }

    @Override
    public void close() {
        network.close();
    }

    /// Returns the row that a row continues: the nearest row that it sees.
    private static int parent(RowBlock block, Cache cache, int before, int row) {
        return switch (block.mask()) {
            case RowMask.Causal() -> before + row - 1;
            case RowMask.Ancestors(var visible) -> {
                int own = before + row - cache.target.length();
                int nearest = visible.get(row).previousSetBit(own - 1);
                yield cache.target.length() + nearest;
            }
        };
    }

    private static float[] row(FeatureRows features, int row) {
        long bytes = features.width() * Float.BYTES;
        return features.memory().asSlice(row * bytes, bytes).toArray(ValueLayout.JAVA_FLOAT);
    }

    /// The target's cache, which is one row longer than a draft layer's, and the true feature of every row.
    private final class Cache implements KvCache {
        private final KvCache target;
        private final List<float[]> truths = new ArrayList<>();

        Cache(KvCache target) {
            this.target = target;
            feed(RowBlock.continuing(target, firstToken));
            target.keep(List.of(0));
        }

        void feed(RowBlock block) {
            var outputs = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of(FEATURE));
            try (var result = network.forward(List.of(block), outputs)) {
                for (int row = 0; row < result.rows(); row++) {
                    truths.add(result.hidden(FEATURE, row).toArray(ValueLayout.JAVA_FLOAT));
                }
            }
        }

        @Override
        public int length() {
            return target.length() - 1;
        }

        @Override
        public int used() {
            return target.used() - 1;
        }

        @Override
        public int capacity() {
            return target.capacity() - 1;
        }

        @Override
        public void keep(List<Integer> scratchRows, int committed) {
            target.keep(scratchRows, committed);
            truths.subList(target.length(), truths.size()).clear();
        }

        @Override
        public void truncate(int length) {
            target.truncate(length + 1);
            truths.subList(target.length(), truths.size()).clear();
        }

        @Override
        public void close() {
            target.close();
        }
    }

    /// States and the logits that the target's head computes from them.
    private final class Result implements PassResult {
        private final Arena arena = Arena.ofShared();
        private final List<MemorySegment> states;
        private final List<MemorySegment> logits;

        Result(List<float[]> rows) {
            states = rows.stream().map(this::copy).toList();
            logits = rows.stream().map(row -> copy(head(row))).toList();
        }

        private MemorySegment copy(float[] row) {
            return arena.allocateFrom(ValueLayout.JAVA_FLOAT, row);
        }

        private float[] head(float[] row) {
            var logits = new float[TinyTarget.VOCABULARY];
            network.head(row, 1, logits);
            return logits;
        }

        @Override
        public int rows() {
            return states.size();
        }

        @Override
        public MemorySegment logits(int row) {
            return logits.get(row);
        }

        @Override
        public MemorySegment hidden(HiddenState which, int row) {
            return states.get(row);
        }

        @Override
        public void close() {
            if (arena.scope().isAlive()) {
                arena.close();
            }
        }
    }
}
