package dev.outrider.treeverify.kernels;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/// RMS norm without a kernel of its own. The kernel that writes a row also writes the row times the norm's weights, and the sum of
/// the squares of each block of [Tiles#TILE] numbers. The product that reads the row multiplies its sums by the row's
/// factor, `1 / sqrt(mean square + epsilon)`.
///
/// The array of such rows is `[maxRows, size]`, followed by the sums `[maxRows, blocks]`. They are added in a fixed order, so a
/// row's factor does not depend on other rows.
final class FoldedNorms {
    private FoldedNorms() {}

    /// Returns the place of the sum of a block's squares.
    static int place(int maxRows, int size, int row, int block) {
        return maxRows * size + row * ((size + Tiles.TILE - 1) / Tiles.TILE) + block;
    }

    /// Returns in lane `8 o + r` the sum of the numbers of the group's lanes `8 i + r` for all outputs i.
    static float sumOverOutputs(KernelContext context, float number) {
        int lane = context.localIdx;
        float[] numbers = context.allocateFloatLocalArray(Tiles.LANES);
        numbers[lane] = number;
        context.localBarrier();
        float sum = 0f;
        for (int output = 0; output < Tiles.TILE; output++) {
            sum += numbers[output * Tiles.TILE + lane % Tiles.TILE];
        }
        return sum;
    }

    /// Returns in lane `8 o + r` a product of row `firstRow + r`, multiplied by the row's factor. Rows after the last one have
    /// its factor.
    ///
    /// @param product with the row times the norm's weights
    /// @param epsilon negative if no norm is folded; then the product is the result
    static float normed(
            KernelContext context,
            float product,
            FloatArray from,
            int firstRow,
            int rows,
            int maxRows,
            int size,
            float epsilon) {
        if (epsilon < 0f) {
            return product;
        }
        int lane = context.localIdx;
        int row = TornadoMath.min(firstRow + lane % Tiles.TILE, rows - 1);
        int first = place(maxRows, size, row, 0);
        int end = place(maxRows, size, row + 1, 0) - first;
        float part = 0f;
        for (int block = lane / Tiles.TILE; block < end; block += Tiles.LANES / Tiles.TILE) {
            part += from.get(first + block);
        }
        float[] parts = context.allocateFloatLocalArray(Tiles.LANES);
        parts[lane] = part;
        context.localBarrier();
        float squares = 0f;
        for (int other = lane % Tiles.TILE; other < Tiles.LANES; other += Tiles.TILE) {
            squares += parts[other];
        }
        return product * (1f / TornadoMath.sqrt(squares / size + epsilon));
    }
}
