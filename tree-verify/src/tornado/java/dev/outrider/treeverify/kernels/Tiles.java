package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.PassCost;
import dev.outrider.treeverify.pass.QuantizedLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Computes products of eight rows of a matrix and eight rows of numbers in one group. A lane has 64 sums in registers, and
/// reads 16 numbers for 64 multiplications. Each sum is added over lanes in a fixed order that does not depend on the number
/// of rows.
///
/// docs/decisions/0096 has measurements of other numbers of outputs, rows and lanes.
final class Tiles {
    /// Work items of a group.
    static final int LANES = 128;

    /// Outputs of a group, and the rows that it takes at a time.
    static final int TILE = PassCost.TILE;

    /// Sums of a group.
    static final int SUMS = TILE * TILE;

    /// Distance between two lanes' sums in local memory: one more than the sums, so that lanes use different banks.
    private static final int STRIDE = SUMS + 1;

    /// Instead of a table of rows: the rows are consecutive.
    static final int IN_ORDER = -1;

    private Tiles() {}

    /// Computes a lane's share of the products of eight outputs' weights and eight rows. Then the caller passes it to [#sum],
    /// which returns in lane `8 o + r`, counted modulo 64, the product of output o of the group and row `firstRow + r`.
    /// Outputs and rows after the last one repeat it. The two methods are separate, because both together are too large for
    /// TornadoVM.
    ///
    /// @param width    elements of a row of the matrix
    /// @param from     rows of `size` numbers from `fromBase` on
    /// @param rows     number of rows
    /// @param table    index in `pass` of the numbers of the rows, or [#IN_ORDER]
    /// @param products receives this lane's sums
    static void multiply(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            IntArray packed,
            int form,
            int width,
            int outputs,
            FloatArray from,
            int fromBase,
            int firstRow,
            int rows,
            int table,
            int size,
            float[] products) {
        int lane = context.localIdx;
        int[] weightAt = new int[TILE];
        int[] rowAt = new int[TILE];
        // Words, followed by the words of higher bits.
        int[] words = new int[2 * TILE];
        // Scales, followed by offsets.
        float[] scales = new float[2 * TILE];
        for (int each = 0; each < TILE; each++) {
            weightAt[each] =
                    TornadoMath.min(context.groupIdx * TILE + each, outputs - 1) * width;
            int row = TornadoMath.min(firstRow + each, rows - 1);
            if (table >= 0) {
                row = pass.get(table + row);
            }
            rowAt[each] = fromBase + row * size;
            words[TILE + each] = 0;
            scales[each] = 0f;
            scales[TILE + each] = 0f;
        }
        for (int each = 0; each < SUMS; each++) {
            products[each] = 0f;
        }
        float[] numbers = new float[TILE];
        int parts = QuantizedLayout.parts(form);
        // The parts of a word that share a scale.
        int run = TornadoMath.min(parts, QuantizedLayout.group(form) >> 3);
        for (int word = lane; word < QuantizedLayout.numbered(form, size); word += LANES) {
            if (QuantizedLayout.bits(form) < 32) {
                for (int o = 0; o < TILE; o++) {
                    words[o] = packed.get(weightAt[o] + word);
                    if (QuantizedLayout.split(form)) {
                        int place = QuantizedLayout.numbered(form, size);
                        words[TILE + o] =
                                packed.get(
                                        weightAt[o] + place + QuantizedLayout.higher(form, word));
                    }
                }
            }
            for (int first = 0; first < parts; first += run) {
                if (QuantizedLayout.bits(form) < 16) {
                    for (int each = 0; each < QuantizedLayout.pairs(form) * TILE; each++) {
                        scales[each] =
                                StoredMatrix.scale(
                                        packed,
                                        form,
                                        weightAt[each & (TILE - 1)],
                                        width,
                                        QuantizedLayout.column(word, first),
                                        size,
                                        each >> 3);
                    }
                }
                for (int part = first; part < first + run; part++) {
                    // The padding of a packed row is zero, so any number may be read for it.
                    int i = TornadoMath.min(StoredMatrix.column(form, word, part), size - 1);
                    for (int r = 0; r < TILE; r++) {
                        numbers[r] = from.get(rowAt[r] + i);
                    }
                    for (int o = 0; o < TILE; o++) {
                        float weight = 0f;
                        if (QuantizedLayout.bits(form) == 32) {
                            weight = weights.get(weightAt[o] + i);
                        }
                        if (QuantizedLayout.bits(form) < 32) {
                            weight =
                                    StoredMatrix.weight(
                                            form,
                                            words[o],
                                            words[TILE + o],
                                            word,
                                            part,
                                            scales[o],
                                            scales[TILE + o]);
                        }
                        for (int r = 0; r < TILE; r++) {
                            products[o * TILE + r] += weight * numbers[r];
                        }
                    }
                }
            }
        }
    }

    /// Returns the sum of a product over all lanes, see [#multiply].
    ///
    /// Local memory is allocated here and is not an argument, because TornadoVM 5.2.0's OpenCL compiler indexes a local array
    /// in bytes if it is an argument.
    static float sum(KernelContext context, int form, float[] products) {
        float[] partial = context.allocateFloatLocalArray(LANES * STRIDE);
        float[] sums = context.allocateFloatLocalArray(LANES);
        int lane = context.localIdx;
        for (int each = 0; each < SUMS; each++) {
            partial[lane * STRIDE + each] = products[each];
        }
        context.localBarrier();
        // Lane l adds sum l % 64 of half of the lanes.
        float half = 0f;
        int firstLane = lane & SUMS;
        int sum = lane & (SUMS - 1);
        for (int other = 0; other < LANES / 2; other++) {
            half += partial[(firstLane + other) * STRIDE + sum];
        }
        sums[lane] = half;
        context.localBarrier();
        float total = sums[sum] + sums[SUMS + sum];
        if (QuantizedLayout.bits(form) < 32) {
            total = total * StoredMatrix.unit(form);
        }
        return total;
    }
}
