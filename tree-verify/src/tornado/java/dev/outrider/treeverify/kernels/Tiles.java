package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.HalfMatrix;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Products of four rows of a matrix and four rows of numbers by one group: 16 sums in registers for 8 numbers read. Each is
/// summed over lanes in a fixed order that does not depend on the number of rows.
///
/// TornadoVM inlines methods of at most 600 nodes of its compiler's graph, what they call included. This one is near that.
final class Tiles {
    /// Work items of a group.
    static final int LANES = 64;

    /// Outputs of a group, and rows it takes at a time.
    static final int TILE = 4;

    /// Sums of a group.
    static final int SUMS = TILE * TILE;

    private Tiles() {}

    /// [#multiply] of the group's outputs and of neighbouring rows.
    ///
    /// @param from     rows of `size` numbers
    /// @param firstRow the first of four
    static float ofRows(
            KernelContext context,
            FloatArray weights,
            IntArray packed,
            float scale,
            int outputs,
            FloatArray from,
            int firstRow,
            int size) {
        int row = firstRow * size;
        return multiply(
                context,
                weights,
                packed,
                scale,
                context.groupIdx * TILE,
                outputs,
                from,
                row,
                row + size,
                row + 2 * size,
                row + 3 * size,
                size);
    }

    /// Products of four outputs' weights and four rows: lane `4 o + r`, counted modulo 16, returns that of output
    /// `firstOutput + o` and row r; outputs beyond the last repeat it.
    ///
    /// Local memory is allocated here and not handed in: a local array that is an argument is indexed in bytes by
    /// TornadoVM 5.2.0's OpenCL compiler.
    static float multiply(
            KernelContext context,
            FloatArray weights,
            IntArray packed,
            float scale,
            int firstOutput,
            int outputs,
            FloatArray from,
            int row0,
            int row1,
            int row2,
            int row3,
            int size) {
        float[] partial = context.allocateFloatLocalArray(LANES * SUMS);
        float[] sums = context.allocateFloatLocalArray(LANES);
        int lane = context.localIdx;
        int parts = 1;
        int width = size;
        if (scale != 0f) {
            parts = 2;
            width = HalfMatrix.words(size);
        }
        int weight0 = firstOutput * width;
        int weight1 = TornadoMath.min(firstOutput + 1, outputs - 1) * width;
        int weight2 = TornadoMath.min(firstOutput + 2, outputs - 1) * width;
        int weight3 = TornadoMath.min(firstOutput + 3, outputs - 1) * width;
        float sum00 = 0f;
        float sum01 = 0f;
        float sum02 = 0f;
        float sum03 = 0f;
        float sum10 = 0f;
        float sum11 = 0f;
        float sum12 = 0f;
        float sum13 = 0f;
        float sum20 = 0f;
        float sum21 = 0f;
        float sum22 = 0f;
        float sum23 = 0f;
        float sum30 = 0f;
        float sum31 = 0f;
        float sum32 = 0f;
        float sum33 = 0f;
        for (int word = lane; word < width; word += LANES) {
            int word0 = 0;
            int word1 = 0;
            int word2 = 0;
            int word3 = 0;
            int first = word;
            if (parts == 2) {
                word0 = packed.get(weight0 + word);
                word1 = packed.get(weight1 + word);
                word2 = packed.get(weight2 + word);
                word3 = packed.get(weight3 + word);
                first = 2 * word - lane;
            }
            for (int part = 0; part < parts; part++) {
                // What fills up a packed row is zero.
                int i = TornadoMath.min(first + part * LANES, size - 1);
                float w0 = number(weights, weight0 + i, word0, part, parts);
                float w1 = number(weights, weight1 + i, word1, part, parts);
                float w2 = number(weights, weight2 + i, word2, part, parts);
                float w3 = number(weights, weight3 + i, word3, part, parts);
                float x0 = from.get(row0 + i);
                float x1 = from.get(row1 + i);
                float x2 = from.get(row2 + i);
                float x3 = from.get(row3 + i);
                sum00 += w0 * x0;
                sum01 += w0 * x1;
                sum02 += w0 * x2;
                sum03 += w0 * x3;
                sum10 += w1 * x0;
                sum11 += w1 * x1;
                sum12 += w1 * x2;
                sum13 += w1 * x3;
                sum20 += w2 * x0;
                sum21 += w2 * x1;
                sum22 += w2 * x2;
                sum23 += w2 * x3;
                sum30 += w3 * x0;
                sum31 += w3 * x1;
                sum32 += w3 * x2;
                sum33 += w3 * x3;
            }
        }
        int own = lane * SUMS;
        partial[own] = sum00;
        partial[own + 1] = sum01;
        partial[own + 2] = sum02;
        partial[own + 3] = sum03;
        partial[own + 4] = sum10;
        partial[own + 5] = sum11;
        partial[own + 6] = sum12;
        partial[own + 7] = sum13;
        partial[own + 8] = sum20;
        partial[own + 9] = sum21;
        partial[own + 10] = sum22;
        partial[own + 11] = sum23;
        partial[own + 12] = sum30;
        partial[own + 13] = sum31;
        partial[own + 14] = sum32;
        partial[own + 15] = sum33;
        context.localBarrier();
        // Lane l adds up sum l % 16 of a quarter of the lanes.
        float quarter = 0f;
        int firstLane = lane / SUMS * (LANES / 4);
        for (int other = 0; other < LANES / 4; other++) {
            quarter += partial[(firstLane + other) * SUMS + lane % SUMS];
        }
        sums[lane] = quarter;
        context.localBarrier();
        int which = lane % SUMS;
        float total =
                sums[which] + sums[SUMS + which] + sums[2 * SUMS + which] + sums[3 * SUMS + which];
        if (parts == 2) {
            total = total * scale;
        }
        return total;
    }

    /// A weight, or a packed one before it is scaled.
    private static float number(FloatArray weights, int place, int word, int part, int parts) {
        return parts == 1 ? weights.get(place) : HalfMatrix.significand(word, part);
    }
}
