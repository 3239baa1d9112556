package dev.outrider.treeverify.kernels;

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
    /// @param embedding `[V, size]`
    /// @param stream    `[.., maxRows, size]`; the first `[n, size]` are written
    /// @param size      width of the residual stream
    /// @param maxRows   most rows of a pass
    public static void embed(
            KernelContext context,
            IntArray pass,
            FloatArray embedding,
            FloatArray stream,
            int size,
            int maxRows) {
        int item = context.globalIdx;
        int row = item / size;
        int column = item - row * size;
        if (row < pass.get(PassLayout.ROWS)) {
            int token = pass.get(PassLayout.HEAD + PassLayout.TOKEN * maxRows + row);
            stream.set(item, embedding.get(token * size + column));
        }
    }
}
