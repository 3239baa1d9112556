package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import dev.outrider.treeverify.pass.QuantizedLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Kernels that work on rows one by one: cache moves, embedding, norms.
public final class RowKernels {
    /// Work items of a group, except in kernels of norms.
    public static final int LANES = 64;

    private RowKernels() {}

    /// Compaction of the cache: rows of accepted paths are moved to the end of the committed rows.
    public static final class CacheMoves {
        private CacheMoves() {}

        /// Moves cache rows in every layer, one after the other in the given order, so that a destination may be the place of an
        /// earlier source. Grid: one work item per column of every layer, which moves the numbers of its column.
        ///
        /// @param pass     [PassLayout]; its moves have absolute rows, and no destination is above its source
        /// @param keys     `[layers, width, cacheRows]`
        /// @param values   `[layers, cacheRows, width]`
        /// @param columns  layers * width
        /// @param width    numbers of a cache row in a layer
        /// @param rows     cacheRows
        /// @param maxRows  maximum rows of a pass
        /// @param maxMoves maximum moves of a pass
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
            int column = item - layer * width;
            int key = layer * rows * width + column * rows;
            int value = layer * rows * width + column;
            int moves = item < columns ? pass.get(PassLayout.MOVES) : 0;
            int sources = PassLayout.HEAD + PassLayout.SECTIONS * maxRows;
            for (int move = 0; move < moves; move++) {
                int source = pass.get(sources + move);
                int destination = pass.get(sources + maxMoves + move);
                keys.set(key + destination, keys.get(key + source));
                values.set(value + destination * width, values.get(value + source * width));
            }
        }
    }

    /// The kernel that copies the tokens' embeddings into the residual stream.
    public static final class Embedding {
        private Embedding() {}

        /// Copies rows of the embedding. Grid: one work item per [Tiles#TILE] numbers of each row of `maxRows`.
        ///
        /// @param pass      [PassLayout]
        /// @param embedding `[V, size]`, unless it is packed
        /// @param packed    packed numbers of a [StoredMatrix], if it has such a `form`
        /// @param positions `[positions, size]`, added if `placed` is 1
        /// @param stream    `[.., maxRows, size]`; the first `[n, size]` are written
        /// @param norms     weights of the first layer's norm from `norm` on
        /// @param norm      negative if there are no folded norms
        /// @param normed    rows of [FoldedNorms]
        /// @param size      width of the residual stream
        /// @param maxRows   maximum rows of a pass
        /// @param factor    factor of embeddings
        public static void embed(
                KernelContext context,
                IntArray pass,
                FloatArray embedding,
                IntArray packed,
                int form,
                FloatArray positions,
                int placed,
                FloatArray stream,
                FloatArray norms,
                int norm,
                FloatArray normed,
                int size,
                int maxRows,
                float factor) {
            int blocks = (size + Tiles.TILE - 1) / Tiles.TILE;
            int row = context.globalIdx / blocks;
            int block = context.globalIdx - row * blocks;
            if (row < pass.get(PassLayout.ROWS)) {
                int token = pass.get(PassLayout.HEAD + PassLayout.TOKEN * maxRows + row);
                int end = TornadoMath.min((block + 1) * Tiles.TILE, size);
                float squares = 0f;
                for (int column = block * Tiles.TILE; column < end; column++) {
                    float number = 0f;
                    if (QuantizedLayout.bits(form) == 32) {
                        number = embedding.get(token * size + column);
                    }
                    if (QuantizedLayout.bits(form) < 32) {
                        number = StoredMatrix.number(packed, form, token, column, size);
                    }
                    number = number * factor;
                    if (placed == 1) {
                        int position =
                                pass.get(PassLayout.HEAD + PassLayout.POSITION * maxRows + row);
                        number += positions.get(position * size + column);
                    }
                    stream.set(row * size + column, number);
                    if (norm >= 0) {
                        normed.set(row * size + column, number * norms.get(norm + column));
                        squares += number * number;
                    }
                }
                if (norm >= 0) {
                    normed.set(FoldedNorms.place(maxRows, size, row, block), squares);
                }
            }
        }
    }

    /// RMS norm and layer norm.
    ///
    /// @see "Zhang and Sennrich 2019, root mean square layer normalisation; Ba et al. 2016"
    public static final class Normalisation {
        /// Work items of a group: many, because rows are long and few.
        public static final int LANES = 256;

        private Normalisation() {}

        /// Divides each row by its root mean square and multiplies it by the weights. If `centred` is 1, the mean is subtracted
        /// first, and biases are added last. Grid: one group of [#LANES] per row of `maxRows`.
        ///
        /// @param pass       [PassLayout]
        /// @param from       rows `[n, size]` from the offset at `fromIndex` on
        /// @param weights    `[size]` from the offset at `weightIndex` on, followed by biases
        /// @param stream     rows `[n, size]` from the offset at `streamIndex` on, which are added; none if the index is negative
        /// @param to         rows `[n, size]` from the offset at `toIndex` on
        /// @param offsets    [LayerOffsets]
        /// @param size       width of a row
        /// @param epsilon    added to the mean square
        public static void normalise(
                KernelContext context,
                IntArray pass,
                FloatArray from,
                int fromIndex,
                FloatArray weights,
                int weightIndex,
                FloatArray stream,
                int streamIndex,
                FloatArray to,
                int toIndex,
                IntArray offsets,
                int size,
                float epsilon,
                int centred) {
            int row = context.groupIdx;
            int lane = context.localIdx;
            int fromBase = offsets.get(fromIndex);
            int weightBase = offsets.get(weightIndex);
            int toBase = offsets.get(toIndex);
            int streamBase = 0;
            if (streamIndex >= 0) {
                streamBase = offsets.get(streamIndex);
            }
            float[] partial = context.allocateFloatLocalArray(LANES);
            float[] sums = context.allocateFloatLocalArray(LANES);
            float sum = 0f;
            if (row < pass.get(PassLayout.ROWS)) {
                for (int i = lane; i < centred * size; i += LANES) {
                    sum += from.get(fromBase + row * size + i);
                }
            }
            sums[lane] = sum;
            context.localBarrier();
            float all = 0f;
            for (int other = 0; other < centred * LANES; other++) {
                all += sums[other];
            }
            float mean = all / size;
            float squares = 0f;
            if (row < pass.get(PassLayout.ROWS)) {
                for (int i = lane; i < size; i += LANES) {
                    float number = from.get(fromBase + row * size + i) - mean;
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
                    float number =
                            (from.get(fromBase + row * size + i) - mean)
                                    * scale
                                    * weights.get(weightBase + i);
                    if (centred == 1) {
                        number += weights.get(weightBase + size + i);
                    }
                    if (streamIndex >= 0) {
                        number += stream.get(streamBase + row * size + i);
                    }
                    to.set(toBase + row * size + i, number);
                }
            }
        }
    }

    /// Norm and rotation of query and key heads, for models that norm heads before the rotation.
    public static final class HeadNorms {
        private HeadNorms() {}

        /// Norms and rotates in place a row's query heads, and the key heads that the pass has just appended to the cache. Grid:
        /// one group of [RowKernels#LANES] per head of every row of `maxRows`, queries before keys. If `whole` is 1, one group
        /// for all heads of the queries, and one for those of the keys.
        ///
        /// @param pass       [PassLayout]
        /// @param weights    weights of the queries' norm from [LayerOffsets#HEAD_NORM] on, then those of the keys'
        /// @param rotations  `[positions, rotary / 2]` cosines, each followed by its sine, from the offset at
        ///                   [LayerOffsets#ROTATION] on
        /// @param queries    `[n, heads * headSize]`
        /// @param keys       the layer's keys, see [LayerOffsets#CACHE]
        /// @param offsets    [LayerOffsets]
        /// @param rotary     how many first numbers of a head are rotated
        /// @param epsilon    added to the mean square
        public static void normAndRotate(
                KernelContext context,
                IntArray pass,
                FloatArray weights,
                FloatArray rotations,
                FloatArray queries,
                FloatArray keys,
                IntArray offsets,
                int heads,
                int keyHeads,
                int headSize,
                int rotary,
                int whole,
                float epsilon,
                int maxRows) {
            int lane = context.localIdx;
            int queryGroups = heads;
            int keyGroups = keyHeads;
            if (whole == 1) {
                queryGroups = 1;
                keyGroups = 1;
            }
            int querySize = heads / queryGroups * headSize;
            int keySize = keyHeads / keyGroups * headSize;
            int row = context.groupIdx / (queryGroups + keyGroups);
            int group = context.groupIdx - row * (queryGroups + keyGroups);
            int half = headSize / 2;
            int turned = rotary / 2;
            int layerBase = offsets.get(LayerOffsets.CACHE);
            int weightBase = offsets.get(LayerOffsets.HEAD_NORM);
            int slot = pass.get(PassLayout.HEAD + PassLayout.SLOT * maxRows + row);
            int position = pass.get(PassLayout.HEAD + PassLayout.POSITION * maxRows + row);
            int angles = offsets.get(LayerOffsets.ROTATION) + 2 * position * turned;
            int isQuery = 0;
            int isKey = 0;
            if (row < pass.get(PassLayout.ROWS)) {
                if (group < queryGroups) {
                    isQuery = 1;
                }
                if (group >= queryGroups) {
                    isKey = 1;
                }
            }
            int queryBase = row * heads * headSize + group * querySize;
            int cacheRows = offsets.get(LayerOffsets.CACHE_ROWS);
            int keyBase = layerBase + (group - queryGroups) * keySize * cacheRows + slot;
            float[] partial = context.allocateFloatLocalArray(LANES);
            float squares = 0f;
            for (int i = lane; i < isQuery * querySize; i += LANES) {
                squares += queries.get(queryBase + i) * queries.get(queryBase + i);
            }
            for (int i = lane; i < isKey * keySize; i += LANES) {
                float number = keys.get(keyBase + i * cacheRows);
                squares += number * number;
            }
            partial[lane] = squares;
            context.localBarrier();
            float sum = 0f;
            for (int other = 0; other < LANES; other++) {
                sum += partial[other];
            }
            int summed = isQuery * querySize + isKey * keySize;
            float scale = 1f / TornadoMath.sqrt(sum / TornadoMath.max(summed, 1) + epsilon);
            for (int i = lane; i < isQuery * querySize / 2; i += LANES) {
                int pair = i % half;
                int first = i / half * headSize + pair;
                int apart = turned;
                float cosine = 1f;
                float sine = 0f;
                if (pair >= turned) {
                    first += turned;
                    apart = half - turned;
                }
                if (pair < turned) {
                    cosine = rotations.get(angles + 2 * pair);
                    sine = rotations.get(angles + 2 * pair + 1);
                }
                int weight = weightBase + first;
                int place = queryBase + first;
                float one = queries.get(place) * scale * weights.get(weight);
                float other = queries.get(place + apart) * scale * weights.get(weight + apart);
                queries.set(place, one * cosine - other * sine);
                queries.set(place + apart, other * cosine + one * sine);
            }
            for (int i = lane; i < isKey * keySize / 2; i += LANES) {
                int pair = i % half;
                int first = i / half * headSize + pair;
                int apart = turned;
                float cosine = 1f;
                float sine = 0f;
                if (pair >= turned) {
                    first += turned;
                    apart = half - turned;
                }
                if (pair < turned) {
                    cosine = rotations.get(angles + 2 * pair);
                    sine = rotations.get(angles + 2 * pair + 1);
                }
                int weight = weightBase + querySize + first;
                int place = keyBase + first * cacheRows;
                int otherPlace = place + apart * cacheRows;
                float one = keys.get(place) * scale * weights.get(weight);
                float other = keys.get(otherPlace) * scale * weights.get(weight + apart);
                keys.set(place, one * cosine - other * sine);
                keys.set(otherPlace, other * cosine + one * sine);
            }
        }
    }
}
