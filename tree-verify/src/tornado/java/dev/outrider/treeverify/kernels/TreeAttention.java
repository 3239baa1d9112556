package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/// Attention of tree nodes to the committed cache and their own ancestors.
///
/// A group takes one chunk of the cache rows that one query head of one row sees, so that a single row with a long context
/// occupies the device. Each lane takes one cache row at a time. Chunks and lanes follow the *rank* of a cache row, which is its
/// index among the rows seen, not its place in the cache. So the ancestors of a tree node are in the same chunks and lanes as in
/// plain decoding, and the sum is the same to the last bit. The start of a chunk depends on the row only.
///
/// A head's attention sink is a score of its first chunk that comes before those of the cache rows and has no value.
///
/// The result of a row with one chunk is complete. [ChunkReduction] joins the results of several chunks.
///
/// @see "Miao et al. 2023 (SpecInfer), section 4: tree attention"
/// @see "Milakov and Gimelshein 2018, online softmax"
/// @see "Dao et al. 2023 (Flash-Decoding), keys and values in chunks"
public final class TreeAttention {
    /// Work items of a group, and the cache rows that it takes at a time.
    public static final int LANES = 64;

    /// Replaces minus infinity, because the compilers of some devices assume that numbers are finite.
    static final float NOTHING = -3e38f;

    /// About the number of groups that run at once on a large device. In a pass with more work each group takes several chunks.
    /// In a pass with little work no more groups than this start without work.
    private static final int MAX_GROUPS = 2048;

    private TreeAttention() {}

    /// Returns the number of groups of the grid.
    ///
    /// @param most maximum chunks of all heads of all rows
    public static int groups(long most) {
        return (int) Math.min(most, MAX_GROUPS);
    }

    /// Returns `cap * tanh(x / cap)`.
    ///
    /// @see "Gemma team 2024 (Gemma 2), section 2"
    static float capped(float x, float cap) {
        float power = TornadoMath.exp(TornadoMath.min(2f * x / cap, 80f));
        return cap * (1f - 2f / (power + 1f));
    }

    /// Computes attention. Grid: `groups` groups of [#LANES], which share the pass's chunks.
    ///
    /// @param pass     [PassLayout]
    /// @param masks    `[maxRows, words]`; bit b of word w of a row is mask bit `64 w + b`
    /// @param queries  `[n, heads * headSize]`, rotated
    /// @param keys     the layer's keys, see [LayerOffsets#CACHE]
    /// @param values   the layer's values
    /// @param to       `[n, heads * headSize]`; written for rows with one chunk
    /// @param results  `[n, heads, chunks, headSize + 2]`: a chunk's output, its greatest score, its sum of exponentials relative
    ///                 to that score; written for rows with several chunks
    /// @param biases   the sinks of the heads from the offset at [LayerOffsets#SINKS] on; none if that is negative
    /// @param offsets  [LayerOffsets]
    /// @param heads    query heads; a multiple of keyHeads
    /// @param window   number of the last seen rows that the window keeps; 0 for all
    /// @param scale    factor of the products
    /// @param cap      bound of scores: `cap * tanh(score / cap)`; 0 for no bound
    /// @param maxRows  maximum rows of a pass
    /// @param chunk    cache rows of a chunk, counted from the first one in the window
    /// @param chunks   maximum chunks of a row
    /// @param groups   groups of the grid
    public static void attend(
            KernelContext context,
            IntArray pass,
            LongArray masks,
            FloatArray queries,
            FloatArray keys,
            FloatArray values,
            FloatArray to,
            FloatArray results,
            FloatArray biases,
            IntArray offsets,
            int heads,
            int keyHeads,
            int headSize,
            int window,
            float scale,
            float cap,
            int maxRows,
            int chunk,
            int chunks,
            int groups) {
        int lane = context.localIdx;
        int width = keyHeads * headSize;
        int layerBase = offsets.get(LayerOffsets.CACHE);
        int cacheRows = offsets.get(LayerOffsets.CACHE_ROWS);
        int words = offsets.get(LayerOffsets.MASK_WORDS);
        int sinks = offsets.get(LayerOffsets.SINKS);
        int rows = pass.get(PassLayout.ROWS);
        int most = pass.get(PassLayout.MAX_KEYS);
        if (window > 0) {
            most = TornadoMath.min(most, window);
        }
        int units = (most + chunk - 1) / chunk * rows * heads;

        float[] query = context.allocateFloatLocalArray(headSize);
        float[] sums = context.allocateFloatLocalArray(headSize);
        float[] scores = context.allocateFloatLocalArray(LANES);
        float[] shares = context.allocateFloatLocalArray(LANES);
        int[] seenAt = context.allocateIntLocalArray(LANES);
        for (int unit = context.groupIdx; unit < units; unit += groups) {
            int number = unit / (rows * heads);
            int rowAndHead = unit - number * rows * heads;
            int row = rowAndHead / heads;
            int head = rowAndHead - row * heads;
            int column = head / (heads / keyHeads) * headSize;
            int queryBase = rowAndHead * headSize;
            int base = pass.get(PassLayout.HEAD + PassLayout.BASE * maxRows + row);
            int prefix = pass.get(PassLayout.HEAD + PassLayout.PREFIX * maxRows + row);
            int bits = pass.get(PassLayout.HEAD + PassLayout.BITS * maxRows + row);
            int count = pass.get(PassLayout.HEAD + PassLayout.KEYS * maxRows + row);
            int first = 0;
            if (window > 0) {
                first = TornadoMath.max(0, count - window);
            }
            int from = first + number * chunk;
            int end = TornadoMath.min(count, from + chunk);
            // The numbers of a head to compute in this chunk: none after the row's last chunk.
            int dimensions = 0;
            if (from < end) {
                dimensions = headSize;
            }
            for (int d = lane; d < dimensions; d += LANES) {
                query[d] = queries.get(queryBase + d);
                sums[d] = 0f;
            }
            context.localBarrier();

            float greatest = NOTHING;
            float total = 0f;
            if (number == 0) {
                if (sinks >= 0) {
                    greatest = biases.get(sinks + head);
                    total = 1f;
                }
            }
            for (int start = from; start < end; start += LANES) {
                int rank = start + lane;
                int place = rank;
                int searched = 0;
                if (rank >= prefix) {
                    if (rank < end) {
                        searched = bits;
                    }
                }
                int seen = prefix;
                for (int bit = 0; bit < searched; bit++) {
                    long word = masks.get(row * words + bit / 64);
                    if ((word & (1L << (bit % 64))) != 0L) {
                        if (seen == rank) {
                            place = prefix + bit;
                        }
                        seen++;
                    }
                }
                int multiplied = 0;
                if (rank < end) {
                    multiplied = headSize;
                }
                int key = layerBase + column * cacheRows + base + place;
                float product = 0f;
                for (int d = 0; d < multiplied; d++) {
                    product += query[d] * keys.get(key + d * cacheRows);
                }
                float score = NOTHING;
                if (rank < end) {
                    score = product * scale;
                    if (cap > 0f) {
                        score = capped(score, cap);
                    }
                }
                scores[lane] = score;
                seenAt[lane] = layerBase + (base + place) * width + column;
                context.localBarrier();

                float greater = greatest;
                for (int other = 0; other < LANES; other++) {
                    greater = TornadoMath.max(greater, scores[other]);
                }
                float share = 0f;
                if (rank < end) {
                    share = TornadoMath.exp(score - greater);
                }
                shares[lane] = share;
                context.localBarrier();

                float kept = TornadoMath.exp(greatest - greater);
                float added = 0f;
                for (int other = 0; other < LANES; other++) {
                    added += shares[other];
                }
                total = total * kept + added;
                int inStep = TornadoMath.min(LANES, end - start);
                for (int d = lane; d < headSize; d += LANES) {
                    float sum = sums[d] * kept;
                    for (int other = 0; other < inStep; other++) {
                        sum += shares[other] * values.get(seenAt[other] + d);
                    }
                    sums[d] = sum;
                }
                greatest = greater;
                context.localBarrier();
            }
            int finished = 0;
            int unfinished = dimensions;
            if (count - first <= chunk) {
                finished = dimensions;
                unfinished = 0;
            }
            int result = (rowAndHead * chunks + number) * (headSize + 2);
            for (int d = lane; d < finished; d += LANES) {
                to.set(queryBase + d, sums[d] / total);
            }
            for (int d = lane; d < unfinished; d += LANES) {
                results.set(result + d, sums[d] / total);
            }
            if (lane == 0) {
                if (unfinished > 0) {
                    results.set(result + headSize, greatest);
                    results.set(result + headSize + 1, total);
                }
            }
        }
    }

    /// Joins the results of [TreeAttention] for the chunks of a row, in their order. Rows with one chunk are already complete.
    ///
    /// @see "Dao et al. 2023 (Flash-Decoding), the reduction over chunks"
    public static final class ChunkReduction {
        private ChunkReduction() {}

        /// Joins results. Grid: one group of [TreeAttention#LANES] per query head of every row of `maxRows`.
        ///
        /// @param pass    [PassLayout]
        /// @param results `[n, heads, chunks, headSize + 2]`: a chunk's output, its greatest score, its sum of exponentials
        ///                relative to that score
        /// @param to      `[n, heads * headSize]`; written for rows with several chunks
        /// @param heads   query heads
        /// @param window  number of the last seen rows that the window keeps; 0 for all
        /// @param maxRows maximum rows of a pass
        /// @param chunk   cache rows of a chunk
        /// @param chunks  maximum chunks of a row
        public static void reduce(
                KernelContext context,
                IntArray pass,
                FloatArray results,
                FloatArray to,
                int heads,
                int headSize,
                int window,
                int maxRows,
                int chunk,
                int chunks) {
            int lane = context.localIdx;
            int rowAndHead = context.groupIdx;
            int row = rowAndHead / heads;
            int count = 0;
            if (row < pass.get(PassLayout.ROWS)) {
                count = pass.get(PassLayout.HEAD + PassLayout.KEYS * maxRows + row);
            }
            if (window > 0) {
                count = TornadoMath.min(count, window);
            }
            int used = 0;
            int dimensions = 0;
            if (count > chunk) {
                used = (count + chunk - 1) / chunk;
                dimensions = headSize;
            }
            int size = headSize + 2;
            int first = rowAndHead * chunks * size;
            float greatest = TreeAttention.NOTHING;
            for (int number = 0; number < used; number++) {
                greatest = TornadoMath.max(greatest, results.get(first + number * size + headSize));
            }
            float[] shares = context.allocateFloatLocalArray(chunks);
            for (int number = lane; number < used; number += LANES) {
                int after = first + number * size + headSize;
                shares[number] =
                        results.get(after + 1) * TornadoMath.exp(results.get(after) - greatest);
            }
            context.localBarrier();
            float total = 0f;
            for (int number = 0; number < used; number++) {
                total += shares[number];
            }
            for (int d = lane; d < dimensions; d += LANES) {
                float sum = 0f;
                for (int number = 0; number < used; number++) {
                    sum += shares[number] * results.get(first + number * size + d);
                }
                to.set(rowAndHead * headSize + d, sum / total);
            }
        }
    }
}
