package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.TILE;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowMask;
import dev.outrider.nn.network.Visibility;
import dev.outrider.nn.vector.PositionTable.RelativeBias;
import dev.outrider.nn.vector.Rows.TiledRows;
import java.util.Optional;
import java.util.OptionalInt;

/// Scaled dot-product attention of a block's rows to a cache, with one key-value head and its query heads.
///
/// A key that a row may not see gets the weight 0, which does not change any sum. The ancestors of a tree node have the same
/// order in the cache as in plain decoding. So a row's result does not depend on other nodes of the tree.
///
/// @param config the architecture
/// @param layer  index of the layer, from 0
/// @param cache  keys and values
/// @param rows   number of rows that attend
/// @param sight  the mask of the rows
/// @param sinks  attention sinks: a score for each head that is part of the softmax but has no value
/// @see "Vaswani et al. 2017, section 3.2.1; Ainslie et al. 2023 (GQA)"
record Attention(
        DecoderConfig config,
        int layer,
        VectorCache cache,
        int rows,
        AttentionMask sight,
        Optional<float[]> sinks) {
    private static final float[] UNSCALED = new float[0];

    /// Computes attention.
    ///
    /// @param queries queries, rotated and scaled
    /// @param width   distance between the queries of two heads
    /// @param start   the first of these rows that attends
    /// @param head    key-value head
    /// @param to      receives the results, `[rows, heads * headSize]`
    void attend(Rows queries, int width, int start, int head, Rows to, Scratch scratch) {
        int group = config.heads() / config.keyValueHeads();
        int items = rows * group;
        for (int item = 0; item < items; item += TILE) {
            tile(queries, width, start, head, to, scratch, item, Math.min(TILE, items - item));
        }
    }

    private void tile(
            Rows queries,
            int width,
            int start,
            int head,
            Rows to,
            Scratch scratch,
            int item,
            int count) {
        int size = config.headSize();
        int group = config.heads() / config.keyValueHeads();
        scratch.queries.shape(count, size);
        for (int index = 0; index < count; index++) {
            int row = (item + index) / group;
            int query = head * group + (item + index) % group;
            scratch.queries.put(index, queries.numbers(), queries.at(start + row) + query * width);
        }
        int seen = sight.reach((item + count - 1) / group);
        scores(head, count, seen, scratch);
        scratch.weights.shape(count, seen);
        float[] sunk = scratch.sunk;
        for (int index = 0; index < count; index++) {
            int query = head * group + (item + index) % group;
            sunk[index] = weigh(scratch, index, query, (item + index) / group, seen);
        }
        float[] sums = scratch.sums;
        scratch.weights.sums(sums);
        cache.scaleWeights(layer, head, scratch.weights);
        values(head, seen, scratch);
        for (int index = 0; index < count; index++) {
            int row = (item + index) / group;
            int query = head * group + (item + index) % group;
            int at = to.at(start + row) + query * size;
            int from = scratch.out.at(index);
            float sum = sums[index] + sunk[index];
            for (int number = 0; number < size; number++) {
                to.numbers()[at + number] = scratch.out.numbers()[from + number] / sum;
            }
        }
    }

    private void scores(int head, int count, int seen, Scratch scratch) {
        int panels = Math.ceilDiv(seen, PANEL);
        scratch.scores.shape(scratch.queries.paddedRows(), panels * PANEL);
        cache.format()
                .tiles(scratch.queries.height(0))
                .multiply(
                        cache.keys(),
                        cache.keys(layer, head, 0),
                        cache.keyPanelBytes(),
                        panels,
                        UNSCALED,
                        scratch.queries.numbers(),
                        0,
                        scratch.scores.numbers(),
                        0,
                        scratch.scores.stride(),
                        config.headSize());
        for (int index = 0; index < count; index++) {
            cache.scaleScores(
                    layer, head, scratch.scores.numbers(), scratch.scores.at(index), seen);
        }
    }

    /// Computes the weights of a row from its scores.
    ///
    /// @return the weight of the head's sink; 0 without sinks
    private float weigh(Scratch scratch, int index, int query, int row, int seen) {
        float[] scores = scratch.scores.numbers();
        int at = scratch.scores.at(index);
        var cap = config.form().scores().cap();
        if (cap.isPresent()) {
            VectorMath.cap(scores, at, seen, (float) cap.getAsDouble());
        }
        sight.adjust(scores, at, query, row, seen);
        float most = VectorMath.max(scores, at, seen);
        if (sinks.isEmpty()) {
            VectorMath.exponentials(scores, at, seen, most);
            scratch.weights.put(index, scores, at);
            return 0;
        }
        float sink = sinks.get()[query];
        most = Math.max(most, sink);
        VectorMath.exponentials(scores, at, seen, most);
        scratch.weights.put(index, scores, at);
        return (float) StrictMath.exp(sink - most);
    }

    private void values(int head, int seen, Scratch scratch) {
        scratch.out.shape(scratch.weights.paddedRows(), cache.valueStride());
        cache.format()
                .tiles(scratch.weights.height(0))
                .multiply(
                        cache.values(),
                        cache.values(layer, head, 0),
                        cache.valuePanelBytes(),
                        cache.valuePanels(),
                        UNSCALED,
                        scratch.weights.numbers(),
                        0,
                        scratch.out.numbers(),
                        0,
                        scratch.out.stride(),
                        seen);
    }

    /// Determines the keys to which the rows of a block attend, and changes their scores.
    interface AttentionMask {
        /// Returns the end, exclusive, of the keys that a row and the rows before it may see.
        int reach(int row);

        /// Adds the bias to the scores, and sets the score of each key that the row may not see to minus infinity.
        ///
        /// @param scores scores of the row by one head
        /// @param at     index of the first score
        /// @param head   query head
        /// @param seen   number of keys with a score
        void adjust(float[] scores, int at, int head, int row, int seen);
    }

    /// The mask of the rows of a block for their own sequence.
    ///
    /// @param block  the rows; their keys are in the cache
    /// @param first  cache row of the block's first row
    /// @param window number of positions that a row sees, including its own; empty means all
    /// @param bias   bias of scores by distance
    record BlockMask(RowBlock block, int first, OptionalInt window, Optional<RelativeBias> bias)
            implements AttentionMask {
        @Override
        public int reach(int row) {
            return causal() ? first + row + 1 : cache().used();
        }

        @Override
        public void adjust(float[] scores, int at, int head, int row, int seen) {
            if (bias.isPresent()) {
                bias.get().add(scores, at, head, block.positions()[row], cache(), seen);
            }
            hide(scores, at, row, seen);
        }

        private void hide(float[] scores, int at, int row, int seen) {
            if (causal() && window.isEmpty()) {
                for (int column = first + row + 1; column < seen; column++) {
                    scores[at + column] = Float.NEGATIVE_INFINITY;
                }
                return;
            }
            var visibility = new Visibility(cache(), first, block, window);
            for (int column = window.isEmpty() ? cache().length() : 0; column < seen; column++) {
                if (!visibility.sees(row, column)) {
                    scores[at + column] = Float.NEGATIVE_INFINITY;
                }
            }
        }

        private boolean causal() {
            return block.mask() instanceof RowMask.Causal;
        }

        private VectorCache cache() {
            return (VectorCache) block.cache();
        }
    }

    /// The mask for a source: every row sees all of it.
    ///
    /// @param length number of tokens of the source
    record SourceMask(int length) implements AttentionMask {
        @Override
        public int reach(int row) {
            return length;
        }

        @Override
        public void adjust(float[] scores, int at, int head, int row, int seen) {}
    }

    /// The memory of one thread for attention. Reused from pass to pass.
    static final class Scratch {
        final TiledRows queries = new TiledRows();
        final TiledRows weights = new TiledRows();
        final Rows scores = new Rows();
        final Rows out = new Rows();
        final float[] sums = new float[Lanes.TILE];
        final float[] sunk = new float[Lanes.TILE];
    }
}
