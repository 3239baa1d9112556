package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.PassLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Norm and rotation of query and key heads, for models that norm heads before they rotate them.
public final class HeadNorms {
    private HeadNorms() {}

    /// Norms and rotates, in place, a row's query heads and the key heads it has just appended to the cache. Grid: one
    /// group of [Projections#LANES] per head of every row of `maxRows`, queries before keys.
    ///
    /// @param pass       [PassLayout]
    /// @param weights    those of the queries, `[headSize]`, from `weightBase` on, then those of the keys
    /// @param cosines    `[positions, headSize / 2]`
    /// @param sines      as `cosines`
    /// @param queries    `[n, heads * headSize]`
    /// @param keys       a cache row is `[keyHeads * headSize]`; this layer's begin at `layerBase`
    /// @param epsilon    added to the mean square
    public static void normAndRotate(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            int weightBase,
            FloatArray cosines,
            FloatArray sines,
            FloatArray queries,
            FloatArray keys,
            int layerBase,
            int heads,
            int keyHeads,
            int headSize,
            float epsilon,
            int maxRows) {
        int lane = context.localIdx;
        int row = context.groupIdx / (heads + keyHeads);
        int head = context.groupIdx - row * (heads + keyHeads);
        int half = headSize / 2;
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
        float[] partial = context.allocateFloatLocalArray(Projections.LANES);
        float squares = 0f;
        for (int i = lane; i < isQuery * headSize; i += Projections.LANES) {
            squares += queries.get(queryBase + i) * queries.get(queryBase + i);
        }
        for (int i = lane; i < isKey * headSize; i += Projections.LANES) {
            squares += keys.get(keyBase + i) * keys.get(keyBase + i);
        }
        partial[lane] = squares;
        context.localBarrier();
        float sum = 0f;
        for (int other = 0; other < Projections.LANES; other++) {
            sum += partial[other];
        }
        float scale = 1f / TornadoMath.sqrt(sum / headSize + epsilon);
        for (int i = lane; i < isQuery * half; i += Projections.LANES) {
            float first = queries.get(queryBase + i) * scale * weights.get(weightBase + i);
            float second =
                    queries.get(queryBase + half + i) * scale * weights.get(weightBase + half + i);
            float cosine = cosines.get(position * half + i);
            float sine = sines.get(position * half + i);
            queries.set(queryBase + i, first * cosine - second * sine);
            queries.set(queryBase + half + i, second * cosine + first * sine);
        }
        for (int i = lane; i < isKey * half; i += Projections.LANES) {
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
