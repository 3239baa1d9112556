package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.HalfMatrix;
import dev.outrider.treeverify.pass.PassLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// First kernel of a pass: the tokens' embeddings become the residual stream.
public final class Embedding {
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
                int word = packed.get(token * HalfMatrix.words(size) + HalfMatrix.wordOf(column));
                number = HalfMatrix.significand(word, HalfMatrix.partOf(column)) * scale;
            }
            stream.set(item, number);
        }
    }
}
