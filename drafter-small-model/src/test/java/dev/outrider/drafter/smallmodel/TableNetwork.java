package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowMask;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// A network without arithmetic: a row's logits are a function of the tokens it attends to, in the order of
/// their positions. Its caches hold tokens and positions, so a row that is missing, stale, at a wrong
/// position or seen by the wrong node changes the logits or is refused.
final class TableNetwork implements DecoderNetwork {
    private final int vocabulary;
    private final long seed;
    private final double spread;
    private final List<Integer> passRows = new ArrayList<>();
    private int open;

    /// @param vocabulary number of logits and of tokens it can read
    /// @param seed       which function
    /// @param spread     standard deviation of the logits
    TableNetwork(int vocabulary, long seed, double spread) {
        this.vocabulary = vocabulary;
        this.seed = seed;
        this.spread = spread;
    }

    /// Returns the logits after a sequence.
    float[] logitsAfter(List<Integer> tokens) {
        var random = new Random(seed * 1_000_003 + tokens.hashCode());
        var logits = new float[vocabulary];
        for (int token = 0; token < vocabulary; token++) {
            logits[token] = (float) (spread * random.nextGaussian());
        }
        return logits;
    }

    /// Rows of every pass so far.
    List<Integer> passRows() {
        return passRows;
    }

    /// Caches and results that are not closed yet.
    int open() {
        return open;
    }

    @Override
    public KvCache newCache(int rows) {
        open++;
        return new Cache(rows);
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        var logits = new ArrayList<float[]>();
        for (var block : blocks) {
            var cache = (Cache) block.cache();
            int first = cache.used();
            for (int row = 0; row < block.tokens().length; row++) {
                cache.add(block.tokens()[row], block.positions()[row]);
            }
            for (int row = 0; row < block.tokens().length; row++) {
                var path = cache.visibleTo(first, row, block.mask());
                boolean wanted =
                        switch (outputs.logits()) {
                            case NONE -> false;
                            case LAST -> row >= block.tokens().length - outputs.lastRows();
                            case ALL -> true;
                        };
                logits.add(wanted ? logitsAfter(path) : new float[0]);
            }
        }
        passRows.add(logits.size());
        open++;
        return new Result(logits);
    }

    @Override
    public void close() {
        if (open > 0) {
            throw new AssertionError("%d caches or results are still open".formatted(open));
        }
    }

    private record Row(int token, int position) {}

    private final class Cache implements KvCache {
        private final int capacity;
        private final List<Row> rows = new ArrayList<>();
        private int length;
        private boolean closed;

        Cache(int capacity) {
            this.capacity = capacity;
        }

        void add(int token, int position) {
            if (closed || rows.size() == capacity || token >= vocabulary) {
                throw new AssertionError(
                        "closed %s, %d of %d rows, token %d of %d"
                                .formatted(closed, rows.size(), capacity, token, vocabulary));
            }
            rows.add(new Row(token, position));
        }

        /// Returns the tokens that a row of the pass attends to; the pass began at cache row `first`.
        List<Integer> visibleTo(int first, int row, RowMask mask) {
            var tokens = new ArrayList<Integer>();
            for (int index = 0; index < rows.size(); index++) {
                boolean visible =
                        index < length
                                || switch (mask) {
                                    case RowMask.Causal() -> index <= first + row;
                                    case RowMask.Ancestors(var sets) ->
                                            sets.get(row).get(index - length);
                                };
                if (visible) {
                    if (rows.get(index).position() != tokens.size()) {
                        throw new AssertionError(
                                "cache row %d is at position %d, expected %d"
                                        .formatted(
                                                index, rows.get(index).position(), tokens.size()));
                    }
                    tokens.add(rows.get(index).token());
                }
            }
            return tokens;
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public int used() {
            return rows.size();
        }

        @Override
        public int capacity() {
            return capacity;
        }

        @Override
        public void keep(List<Integer> scratchRows, int committed) {
            var kept = scratchRows.stream().map(row -> rows.get(length + row)).toList();
            for (int i = 1; i < scratchRows.size(); i++) {
                if (scratchRows.get(i) <= scratchRows.get(i - 1)) {
                    throw new AssertionError("rows %s do not ascend".formatted(scratchRows));
                }
            }
            rows.subList(length, rows.size()).clear();
            rows.addAll(kept);
            length += committed;
        }

        @Override
        public void truncate(int newLength) {
            rows.subList(newLength, rows.size()).clear();
            length = newLength;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                open--;
            }
        }
    }

    private final class Result implements PassResult {
        private final List<float[]> logits;
        private boolean closed;

        Result(List<float[]> logits) {
            this.logits = logits;
        }

        @Override
        public int rows() {
            return logits.size();
        }

        @Override
        public MemorySegment logits(int row) {
            if (closed || logits.get(row).length == 0) {
                throw new AssertionError("closed or not asked for: row %d".formatted(row));
            }
            return MemorySegment.ofArray(logits.get(row));
        }

        @Override
        public MemorySegment hidden(HiddenState which, int row) {
            throw new AssertionError("no hidden states were asked for");
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                logits.forEach(row -> Arrays.fill(row, Float.NaN));
                open--;
            }
        }
    }
}
