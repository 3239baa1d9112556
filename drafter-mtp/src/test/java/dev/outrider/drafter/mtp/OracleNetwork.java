package dev.outrider.drafter.mtp;

import dev.outrider.drafter.mtp.MtpConfig.ConcatOrder;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowMask;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// A module that is always right: it runs the target itself over the given tokens and outputs the true next state. Every feature
/// that it gets must be the target's state of the token before the row's; otherwise it throws.
///
/// It cannot see the first tokens of a sequence, for which modules have no rows, so these tokens are always the same.
final class OracleNetwork implements FeatureNetwork {
    /// The first tokens of every sequence.
    static final int[] BEGINNING = {7, 8, 9};

    private static final HiddenState STATE = new HiddenState.AfterFinalNorm();

    private final DecoderNetwork target;
    private final int hiddenRows;
    private final boolean late;

    /// @param target not closed with the oracle
    /// @param module counted from 1: how many tokens of a sequence it has no rows for
    OracleNetwork(DecoderNetwork target, int module) {
        this(target, module, false);
    }

    private OracleNetwork(DecoderNetwork target, int hiddenRows, boolean late) {
        this.target = target;
        this.hiddenRows = hiddenRows;
        this.late = late;
    }

    /// A first module that is late by one: its row for a token outputs the true state of the token before. It accepts any features.
    static OracleNetwork late(DecoderNetwork target) {
        return new OracleNetwork(target, 0, true);
    }

    @Override
    public DecoderConfig config() {
        var like = new TinyTarget(1, 1).config();
        return like.fused(
                Layout.DEEPSEEK.fusion(like, ConcatOrder.EMBEDDING_FIRST, Layout.Storage.SHARED));
    }

    @Override
    public KvCache newCache(int rows) {
        var cache = new Cache(target.newCache(rows + hiddenRows), hiddenRows);
        if (hiddenRows > 0) {
            int[] first = Arrays.copyOf(BEGINNING, hiddenRows);
            var block = RowBlock.continuing(cache.inner, first);
            try (var pass = target.forward(List.of(block), states(PassOutputs.LogitRows.NONE))) {
                cache.remember(pass, first);
            }
            cache.inner.keep(IntStream.range(0, hiddenRows).boxed().toList());
        }
        return cache;
    }

    @Override
    public PassResult forward(RowBlock block, FeatureRows features, PassOutputs outputs) {
        var cache = (Cache) block.cache();
        int before = cache.inner.used();
        int committed = cache.inner.length();
        int[] tokens = block.tokens();
        var inner =
                new RowBlock(
                        cache.inner,
                        late ? delayed(cache, tokens) : tokens,
                        Arrays.stream(block.positions()).map(at -> at + hiddenRows).toArray(),
                        block.mask());
        var pass = target.forward(List.of(inner), states(outputs.logits()));
        cache.remember(pass, tokens);
        for (int row = 0; row < tokens.length && !late; row++) {
            int parent = parent(block.mask(), row, before, committed);
            requireState(features, row, cache.rows.get(parent).state());
        }
        return new TrueStates(pass);
    }

    /// Returns the token before each row's; chains only.
    private static int[] delayed(Cache cache, int[] tokens) {
        var delayed = new int[tokens.length];
        delayed[0] = cache.rows.isEmpty() ? BEGINNING[0] : cache.rows.getLast().token();
        System.arraycopy(tokens, 0, delayed, 1, tokens.length - 1);
        return delayed;
    }

    @Override
    public void close() {}

    private static PassOutputs states(PassOutputs.LogitRows logits) {
        return new PassOutputs(logits, Set.of(STATE));
    }

    /// Returns the cache row of the token before a row's.
    private static int parent(RowMask mask, int row, int before, int committed) {
        return switch (mask) {
            case RowMask.Causal() -> before + row - 1;
            case RowMask.Ancestors(var visible) -> {
                int own = before + row - committed;
                int parent = visible.get(row).previousSetBit(own - 1);
                yield parent < 0 ? committed - 1 : committed + parent;
            }
        };
    }

    private static void requireState(FeatureRows features, int row, float[] expected) {
        for (int at = 0; at < expected.length; at++) {
            float given =
                    features.memory()
                            .getAtIndex(ValueLayout.JAVA_FLOAT, (long) row * expected.length + at);
            if (Math.abs(given - expected[at]) > 1e-3) {
                throw new AssertionError(
                        "row %d does not get the state of the token before it".formatted(row));
            }
        }
    }

    /// The content of a cache row: its token, and the target's state after it.
    private record Row(int token, float[] state) {}

    /// The target's cache without its first rows.
    private static final class Cache implements KvCache {
        final KvCache inner;
        final List<Row> rows = new ArrayList<>();
        private final int hiddenRows;

        Cache(KvCache inner, int hiddenRows) {
            this.inner = inner;
            this.hiddenRows = hiddenRows;
        }

        void remember(PassResult pass, int[] tokens) {
            for (int row = 0; row < pass.rows(); row++) {
                var state = pass.hidden(STATE, row).toArray(ValueLayout.JAVA_FLOAT);
                rows.add(new Row(tokens[row], state));
            }
        }

        @Override
        public int length() {
            return inner.length() - hiddenRows;
        }

        @Override
        public int used() {
            return inner.used() - hiddenRows;
        }

        @Override
        public int capacity() {
            return inner.capacity() - hiddenRows;
        }

        @Override
        public void keep(List<Integer> scratchRows, int committed) {
            int length = inner.length();
            var kept = scratchRows.stream().map(row -> rows.get(length + row)).toList();
            rows.subList(length, rows.size()).clear();
            rows.addAll(kept);
            inner.keep(scratchRows, committed);
        }

        @Override
        public void truncate(int length) {
            rows.subList(length + hiddenRows, rows.size()).clear();
            inner.truncate(length + hiddenRows);
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    /// Logits and states of the target.
    private record TrueStates(PassResult pass) implements PassResult {
        @Override
        public int rows() {
            return pass.rows();
        }

        @Override
        public MemorySegment logits(int row) {
            return pass.logits(row);
        }

        @Override
        public MemorySegment hidden(HiddenState which, int row) {
            return pass.hidden(STATE, row);
        }

        @Override
        public void close() {
            pass.close();
        }
    }
}
