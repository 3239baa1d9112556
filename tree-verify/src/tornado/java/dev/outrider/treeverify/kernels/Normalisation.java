package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.PassLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// RMS norm.
///
/// @see "Zhang and Sennrich 2019, root mean square layer normalisation"
public final class Normalisation {
    private Normalisation() {}

    /// Divides each row by its root mean square and multiplies it by the weights. Grid: one group of
    /// [Projections#LANES] per row of `maxRows`.
    ///
    /// @param pass       [PassLayout]
    /// @param from       rows `[n, size]` from `fromBase` on
    /// @param weights    `[size]` from `weightBase` on
    /// @param to         rows `[n, size]`
    /// @param size       width of a row
    /// @param epsilon    added to the mean square
    public static void rmsNorm(
            KernelContext context,
            IntArray pass,
            FloatArray from,
            int fromBase,
            FloatArray weights,
            int weightBase,
            FloatArray to,
            int size,
            float epsilon) {
        int row = context.groupIdx;
        int lane = context.localIdx;
        float[] partial = context.allocateFloatLocalArray(Projections.LANES);
        float squares = 0f;
        if (row < pass.get(PassLayout.ROWS)) {
            for (int i = lane; i < size; i += Projections.LANES) {
                float number = from.get(fromBase + row * size + i);
                squares += number * number;
            }
        }
        partial[lane] = squares;
        context.localBarrier();
        for (int half = Projections.LANES / 2; half > 0; half = half / 2) {
            if (lane < half) {
                partial[lane] += partial[lane + half];
            }
            context.localBarrier();
        }
        float scale = 1f / TornadoMath.sqrt(partial[0] / size + epsilon);
        if (row < pass.get(PassLayout.ROWS)) {
            for (int i = lane; i < size; i += Projections.LANES) {
                to.set(
                        row * size + i,
                        from.get(fromBase + row * size + i) * scale * weights.get(weightBase + i));
            }
        }
    }
}
