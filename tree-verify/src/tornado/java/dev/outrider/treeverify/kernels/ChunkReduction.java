package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.PassLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Puts together what [TreeAttention] made of the chunks of a row, in their order. Rows with one chunk are finished already.
///
/// @see "Dao et al. 2023 (Flash-Decoding), the reduction over chunks"
public final class ChunkReduction {
    private ChunkReduction() {}

    /// Grid: one group of [Projections#LANES] per query head of every row of `maxRows`.
    ///
    /// @param pass    [PassLayout]
    /// @param results `[n, heads, chunks, headSize + 2]`: a chunk's output, its greatest score, its sum of exponentials below that
    ///                score
    /// @param to      `[n, heads * headSize]`; written for rows with several chunks
    /// @param heads   query heads
    /// @param window  how many of the last rows it sees are left; 0 for all
    /// @param maxRows most rows of a pass
    /// @param chunk   cache rows of a chunk
    /// @param chunks  most chunks of a row
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
        for (int number = lane; number < used; number += Projections.LANES) {
            int after = first + number * size + headSize;
            shares[number] = results.get(after + 1) * TornadoMath.exp(results.get(after) - greatest);
        }
        context.localBarrier();
        float total = 0f;
        for (int number = 0; number < used; number++) {
            total += shares[number];
        }
        for (int d = lane; d < dimensions; d += Projections.LANES) {
            float sum = 0f;
            for (int number = 0; number < used; number++) {
                sum += shares[number] * results.get(first + number * size + d);
            }
            to.set(rowAndHead * headSize + d, sum / total);
        }
    }
}
