package dev.outrider.nn.vector;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.nn.network.RowBlock;

/// Prepares the queries, keys and values of a layer for attention: norms, rotation, scale, and the copy into the cache.
///
/// Rows are `[queries of all heads, keys, values]`. With gates, the queries are twice as wide: each head's gate follows its
/// query.
///
/// @param gated whether each query has a gate
record Queries(DecoderConfig config, RopeTable rope, Layer layer, boolean gated) {
    /// Returns the distance between the queries of two heads.
    int width() {
        return gated ? 2 * config.headSize() : config.headSize();
    }

    /// Prepares the queries, key and value of one key-value head.
    ///
    /// @param start row of the block's first row
    /// @param first cache row of the block's first row
    void prepare(Rows projected, int start, RowBlock block, int first, int number, int head) {
        int size = config.headSize();
        int group = config.heads() / config.keyValueHeads();
        int keysAt = config.heads() * width();
        int valuesAt = keysAt + config.keyValueHeads() * size;
        float scale = config.scoreScale();
        boolean normed = !config.form().norms().wholeQueries();
        for (int row = 0; row < block.tokens().length; row++) {
            int at = projected.at(start + row);
            int position = block.positions()[row];
            for (int query = head * group; query < (head + 1) * group; query++) {
                int to = at + query * width();
                layer.queryNorm()
                        .filter(_ -> normed)
                        .ifPresent(norm -> normalise(projected.numbers(), to, size, norm));
                rotate(projected.numbers(), to, position);
                for (int index = to; index < to + size; index++) {
                    projected.numbers()[index] *= scale;
                }
            }
            keep(
                    projected.numbers(),
                    at + keysAt,
                    at + valuesAt,
                    position,
                    (VectorCache) block.cache(),
                    first + row,
                    number,
                    head);
        }
    }

    /// Stores the key and the value of a row, for one key-value head, in a cache.
    ///
    /// @param keys     start of the row's keys; the key in this array is changed
    /// @param values   start of the row's values
    /// @param cacheRow row of the cache
    void keep(
            float[] made,
            int keys,
            int values,
            int position,
            VectorCache cache,
            int cacheRow,
            int number,
            int head) {
        int size = config.headSize();
        int key = keys + head * size;
        layer.keyNorm()
                .filter(_ -> !config.form().norms().wholeQueries())
                .ifPresent(norm -> normalise(made, key, size, norm));
        rotate(made, key, position);
        cache.write(number, head, cacheRow, made, key, made, values + head * size);
    }

    /// Multiplies the results of attention by the sigmoids of the gates.
    void open(Rows projected, Rows attended, int rows) {
        int size = config.headSize();
        for (int row = 0; row < rows; row++) {
            for (int query = 0; query < config.heads(); query++) {
                VectorMath.opened(
                        attended.numbers(),
                        attended.at(row) + query * size,
                        projected.numbers(),
                        projected.at(row) + query * width() + size,
                        size);
            }
        }
    }

    /// Applies norms of queries and keys that are over all heads together, before the heads are prepared separately.
    void normalise(Rows projected, int rows) {
        if (!config.form().norms().wholeQueries()) {
            return;
        }
        int queries = config.heads() * config.headSize();
        int keys = config.keyValueHeads() * config.headSize();
        for (int row = 0; row < rows; row++) {
            int at = projected.at(row);
            layer.queryNorm().ifPresent(norm -> normalise(projected.numbers(), at, queries, norm));
            layer.keyNorm()
                    .ifPresent(norm -> normalise(projected.numbers(), at + queries, keys, norm));
        }
    }

    private void normalise(float[] x, int at, int size, float[] norm) {
        VectorMath.rmsNorm(x, at, size, norm, config.normEpsilon(), x, at);
    }

    /// Rotates the pairs `(i, i + r/2)` of the first r numbers by the angles of a position. Does nothing if the table is empty.
    private void rotate(float[] x, int at, int position) {
        int half = rope.half();
        int angles = position * half;
        for (int pair = 0; pair < half; pair++) {
            float cos = rope.cos()[angles + pair];
            float sin = rope.sin()[angles + pair];
            float first = x[at + pair];
            float second = x[at + half + pair];
            x[at + pair] = first * cos - second * sin;
            x[at + half + pair] = second * cos + first * sin;
        }
    }
}
