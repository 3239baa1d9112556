package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.HalfMatrix;
import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Kernels that work on rows one by one: cache moves, embedding, norms.
public final class RowKernels {
    /// Work items of a group, but those of norms.
    public static final int LANES = 64;

    private RowKernels() {}

    /// Compaction of the cache: rows of accepted paths move behind the committed ones.
    public static final class CacheMoves {
        private CacheMoves() {}

        /// Moves cache rows in every layer, one after the other in the order given, so that a destination may be a
        /// later source's neighbour. Grid: one work item per column of every layer, which moves its own numbers.
        ///
        /// @param pass     [PassLayout]; its moves are absolute rows, a destination never above its source
        /// @param keys     `[layers, cacheRows, width]`
        /// @param values   as `keys`
        /// @param columns  layers * width
        /// @param width    numbers of a cache row in a layer
        /// @param rows     cacheRows
        /// @param maxRows  most rows of a pass
        /// @param maxMoves most moves of a pass
        public static void compact(
                KernelContext context,
                IntArray pass,
                FloatArray keys,
                FloatArray values,
                int columns,
                int width,
                int rows,
                int maxRows,
                int maxMoves) {
            int item = context.globalIdx;
            int layer = item / width;
            int base = layer * rows * width + (item - layer * width);
            int moves = item < columns ? pass.get(PassLayout.MOVES) : 0;
            int sources = PassLayout.HEAD + PassLayout.SECTIONS * maxRows;
            for (int move = 0; move < moves; move++) {
                int source = base + pass.get(sources + move) * width;
                int destination = base + pass.get(sources + maxMoves + move) * width;
                keys.set(destination, keys.get(source));
                values.set(destination, values.get(source));
            }
        }
    }

    /// First kernel of a pass: the tokens' embeddings become the residual stream.
    public static final class Embedding {
        private Embedding() {}

        /// Copies rows of the embedding. Grid: one work item per number of `[maxRows, size]`.
        ///
        /// @param pass      [PassLayout]
        /// @param embedding `[V, size]`, unless it is packed
        /// @param packed    as [HalfMatrix] has it, if `scale` is not 0
        /// @param stream    `[.., maxRows, size]`; the first `[n, size]` are written
        /// @param size      width of the residual stream
        /// @param maxRows   most rows of a pass
        public static void embed(
                KernelContext context,
                IntArray pass,
                FloatArray embedding,
                IntArray packed,
                float scale,
                FloatArray stream,
                int size,
                int maxRows) {
            int item = context.globalIdx;
            int row = item / size;
            int column = item - row * size;
            if (row < pass.get(PassLayout.ROWS)) {
                int token = pass.get(PassLayout.HEAD + PassLayout.TOKEN * maxRows + row);
                float number = 0f;
                if (scale == 0f) {
                    number = embedding.get(token * size + column);
                }
                if (scale != 0f) {
                    int word =
                            packed.get(token * HalfMatrix.words(size) + HalfMatrix.wordOf(column));
                    number = HalfMatrix.significand(word, HalfMatrix.partOf(column)) * scale;
                }
                stream.set(item, number);
            }
        }
    }

    /// RMS norm.
    ///
    /// @see "Zhang and Sennrich 2019, root mean square layer normalisation"
    public static final class Normalisation {
        /// Work items of a group: a row is long, and there are few.
        public static final int LANES = 256;

        private Normalisation() {}

        /// Divides each row by its root mean square and multiplies it by the weights. Grid: one group of
        /// [#LANES] per row of `maxRows`.
        ///
        /// @param pass       [PassLayout]
        /// @param from       rows `[n, size]` from the offset at `fromIndex` on
        /// @param weights    `[size]` from the offset at `weightIndex` on
        /// @param to         rows `[n, size]`
        /// @param offsets    [LayerOffsets]
        /// @param size       width of a row
        /// @param epsilon    added to the mean square
        public static void rmsNorm(
                KernelContext context,
                IntArray pass,
                FloatArray from,
                int fromIndex,
                FloatArray weights,
                int weightIndex,
                FloatArray to,
                IntArray offsets,
                int size,
                float epsilon) {
            int row = context.groupIdx;
            int lane = context.localIdx;
            int fromBase = offsets.get(fromIndex);
            int weightBase = offsets.get(weightIndex);
            float[] partial = context.allocateFloatLocalArray(LANES);
            float squares = 0f;
            if (row < pass.get(PassLayout.ROWS)) {
                for (int i = lane; i < size; i += LANES) {
                    float number = from.get(fromBase + row * size + i);
                    squares += number * number;
                }
            }
            partial[lane] = squares;
            context.localBarrier();
            for (int half = LANES / 2; half > 0; half = half / 2) {
                if (lane < half) {
                    partial[lane] += partial[lane + half];
                }
                context.localBarrier();
            }
            float scale = 1f / TornadoMath.sqrt(partial[0] / size + epsilon);
            if (row < pass.get(PassLayout.ROWS)) {
                for (int i = lane; i < size; i += LANES) {
                    to.set(
                            row * size + i,
                            from.get(fromBase + row * size + i)
                                    * scale
                                    * weights.get(weightBase + i));
                }
            }
        }
    }

    /// Norm and rotation of query and key heads, for models that norm heads before they rotate them.
    public static final class HeadNorms {
        private HeadNorms() {}

        /// Norms and rotates, in place, a row's query heads and the key heads it has just appended to the cache. Grid: one
        /// group of [RowKernels#LANES] per head of every row of `maxRows`, queries before keys.
        ///
        /// @param pass       [PassLayout]
        /// @param weights    those of the queries, `[headSize]`, from [LayerOffsets#HEAD_NORM] on, then those of the keys
        /// @param cosines    `[positions, headSize / 2]`
        /// @param sines      as `cosines`
        /// @param queries    `[n, heads * headSize]`
        /// @param keys       a cache row is `[keyHeads * headSize]`; this layer's begin at [LayerOffsets#CACHE]
        /// @param offsets    [LayerOffsets]
        /// @param epsilon    added to the mean square
        public static void normAndRotate(
                KernelContext context,
                IntArray pass,
                FloatArray weights,
                FloatArray cosines,
                FloatArray sines,
                FloatArray queries,
                FloatArray keys,
                IntArray offsets,
                int heads,
                int keyHeads,
                int headSize,
                float epsilon,
                int maxRows) {
            int lane = context.localIdx;
            int row = context.groupIdx / (heads + keyHeads);
            int head = context.groupIdx - row * (heads + keyHeads);
            int half = headSize / 2;
            int layerBase = offsets.get(LayerOffsets.CACHE);
            int weightBase = offsets.get(LayerOffsets.HEAD_NORM);
            int slot = pass.get(PassLayout.HEAD + PassLayout.SLOT * maxRows + row);
            int position = pass.get(PassLayout.HEAD + PassLayout.POSITION * maxRows + row);
            int isQuery = 0;
            int isKey = 0;
            if (row < pass.get(PassLayout.ROWS)) {
                if (head < heads) {
                    isQuery = 1;
                }
                if (head >= heads) {
                    isKey = 1;
                }
            }
            int queryBase = (row * heads + head) * headSize;
            int keyBase = layerBase + (slot * keyHeads + head - heads) * headSize;
            float[] partial = context.allocateFloatLocalArray(LANES);
            float squares = 0f;
            for (int i = lane; i < isQuery * headSize; i += LANES) {
                squares += queries.get(queryBase + i) * queries.get(queryBase + i);
            }
            for (int i = lane; i < isKey * headSize; i += LANES) {
                squares += keys.get(keyBase + i) * keys.get(keyBase + i);
            }
            partial[lane] = squares;
            context.localBarrier();
            float sum = 0f;
            for (int other = 0; other < LANES; other++) {
                sum += partial[other];
            }
            float scale = 1f / TornadoMath.sqrt(sum / headSize + epsilon);
            for (int i = lane; i < isQuery * half; i += LANES) {
                float first = queries.get(queryBase + i) * scale * weights.get(weightBase + i);
                float second =
                        queries.get(queryBase + half + i)
                                * scale
                                * weights.get(weightBase + half + i);
                float cosine = cosines.get(position * half + i);
                float sine = sines.get(position * half + i);
                queries.set(queryBase + i, first * cosine - second * sine);
                queries.set(queryBase + half + i, second * cosine + first * sine);
            }
            for (int i = lane; i < isKey * half; i += LANES) {
                int weight = weightBase + headSize + i;
                float first = keys.get(keyBase + i) * scale * weights.get(weight);
                float second = keys.get(keyBase + half + i) * scale * weights.get(weight + half);
                float cosine = cosines.get(position * half + i);
                float sine = sines.get(position * half + i);
                keys.set(keyBase + i, first * cosine - second * sine);
                keys.set(keyBase + half + i, second * cosine + first * sine);
            }
        }
    }
}
