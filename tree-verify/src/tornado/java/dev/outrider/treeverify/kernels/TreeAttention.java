package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.PassLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/// Attention of tree nodes over the committed cache and their own ancestors.
///
/// A group takes one query head of one row. It goes through the cache rows the row sees in chunks of one row per
/// lane, counted by *rank*, the how-manieth seen row it is, not by where it lies: a node at depth d gets its
/// ancestors in the chunks and lanes that plain decoding would have put them in, and therefore the same sum to
/// the last bit.
///
/// @see "Miao et al. 2023 (SpecInfer), section 4: tree attention"
/// @see "Milakov and Gimelshein 2018, online softmax"
public final class TreeAttention {
    /// Stands for minus infinity, which the compilers of some devices take for impossible.
    private static final float NOTHING = -3e38f;

    private TreeAttention() {}

    /// Grid: one group of [Projections#LANES] per query head of every row of `maxRows`.
    ///
    /// @param pass     [PassLayout]
    /// @param masks    `[maxRows, words]`; bit b of word w of a row stands for mask bit `64 w + b`
    /// @param queries  `[n, heads * headSize]`, rotated
    /// @param keys     a cache row is `[keyHeads * headSize]`; this layer's begin at `layerBase`
    /// @param values   as `keys`
    /// @param to       `[n, heads * headSize]`
    /// @param heads    query heads; a multiple of keyHeads
    /// @param window   how many of the last rows it sees are left; 0 for all
    /// @param scale    what products are multiplied by
    /// @param maxRows  most rows of a pass
    /// @param words    words of a row's mask
    public static void attend(
            KernelContext context,
            IntArray pass,
            LongArray masks,
            FloatArray queries,
            FloatArray keys,
            FloatArray values,
            FloatArray to,
            int layerBase,
            int heads,
            int keyHeads,
            int headSize,
            int window,
            float scale,
            int maxRows,
            int words) {
        int lane = context.localIdx;
        int row = context.groupIdx / heads;
        int head = context.groupIdx - row * heads;
        int width = keyHeads * headSize;
        int column = layerBase + head / (heads / keyHeads) * headSize;
        int queryBase = (row * heads + head) * headSize;
        int count = 0;
        if (row < pass.get(PassLayout.ROWS)) {
            count = pass.get(PassLayout.HEAD + PassLayout.KEYS * maxRows + row);
        }
        int base = pass.get(PassLayout.HEAD + PassLayout.BASE * maxRows + row);
        int prefix = pass.get(PassLayout.HEAD + PassLayout.PREFIX * maxRows + row);
        int bits = pass.get(PassLayout.HEAD + PassLayout.BITS * maxRows + row);
        int first = 0;
        if (window > 0) {
            first = TornadoMath.max(0, count - window);
        }

        float[] query = context.allocateFloatLocalArray(headSize);
        float[] sums = context.allocateFloatLocalArray(headSize);
        float[] scores = context.allocateFloatLocalArray(Projections.LANES);
        float[] shares = context.allocateFloatLocalArray(Projections.LANES);
        int[] places = context.allocateIntLocalArray(Projections.LANES);
        for (int d = lane; d < headSize; d += Projections.LANES) {
            query[d] = queries.get(queryBase + d);
            sums[d] = 0f;
        }
        context.localBarrier();

        float greatest = NOTHING;
        float total = 0f;
        for (int start = first; start < count; start += Projections.LANES) {
            int rank = start + lane;
            int place = rank;
            int searched = 0;
            if (rank >= prefix) {
                if (rank < count) {
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
            int dimensions = 0;
            if (rank < count) {
                dimensions = headSize;
            }
            int place0 = (base + place) * width + column;
            float product = 0f;
            for (int d = 0; d < dimensions; d++) {
                product += query[d] * keys.get(place0 + d);
            }
            float score = NOTHING;
            if (rank < count) {
                score = product * scale;
            }
            scores[lane] = score;
            places[lane] = place0;
            context.localBarrier();

            float greater = greatest;
            for (int other = 0; other < Projections.LANES; other++) {
                greater = TornadoMath.max(greater, scores[other]);
            }
            float share = 0f;
            if (rank < count) {
                share = TornadoMath.exp(score - greater);
            }
            shares[lane] = share;
            context.localBarrier();

            float kept = TornadoMath.exp(greatest - greater);
            float added = 0f;
            for (int other = 0; other < Projections.LANES; other++) {
                added += shares[other];
            }
            total = total * kept + added;
            int inChunk = TornadoMath.min(Projections.LANES, count - start);
            for (int d = lane; d < headSize; d += Projections.LANES) {
                float sum = sums[d] * kept;
                for (int other = 0; other < inChunk; other++) {
                    sum += shares[other] * values.get(places[other] + d);
                }
                sums[d] = sum;
            }
            greatest = greater;
            context.localBarrier();
        }
        if (count > 0) {
            for (int d = lane; d < headSize; d += Projections.LANES) {
                to.set(queryBase + d, sums[d] / total);
            }
        }
    }
}
