package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.HalfMatrix;
import dev.outrider.treeverify.pass.PassLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Products of rows and weight matrices, with what follows them fused in.
///
/// A group computes [#TILE] outputs for all rows, [#TILE] rows at a time, as [Tiles] multiplies them. Its weights come from
/// the device's memory once and from its cache for the further rows.
///
/// Matrices are `[outputs, inputs]`, row-major; those of [#queryKeyValue] and [#gateUp] are laid out so that the
/// two numbers an epilogue combines are neighbours, see there. Biases follow the order of the outputs; a negative
/// `biasBase` means that there are none.
///
/// A matrix is `weights`, or, where `scale` is not 0, `packed` as [HalfMatrix] has it; the other array is not read.
/// Scalars are constants when a kernel is compiled, so that it holds the code of one of them.
public final class Projections {
    /// Work items of a group.
    public static final int LANES = Tiles.LANES;

    /// Outputs of a group, and rows it takes at a time.
    public static final int TILE = Tiles.TILE;

    private Projections() {}

    /// Queries, keys and values: projected, queries and keys rotated by the row's position, keys and values
    /// appended to the cache. Grid: a group per [#TILE] outputs.
    ///
    /// Output `2 p` is the first number of pair p, output `2 p + 1` the second; pairs go through the heads in the
    /// order queries, keys, values, and pair i of a head is its numbers i and i + headSize / 2.
    ///
    /// @param pass      [PassLayout]
    /// @param from      normed rows `[n, size]`
    /// @param cosines   `[positions, headSize / 2]`
    /// @param sines     as `cosines`
    /// @param queries   `[n, heads * headSize]`
    /// @param keys      a cache row is `[keyHeads * headSize]`; this layer's begin at `layerBase`
    /// @param values    as `keys`
    /// @param rotate    1, or 0 if [HeadNorms] rotates
    public static void queryKeyValue(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            IntArray packed,
            float scale,
            FloatArray biases,
            int biasBase,
            FloatArray from,
            FloatArray cosines,
            FloatArray sines,
            FloatArray queries,
            FloatArray keys,
            FloatArray values,
            int layerBase,
            int size,
            int heads,
            int keyHeads,
            int headSize,
            int rotate,
            int maxRows) {
        int half = headSize / 2;
        int width = keyHeads * headSize;
        int pairs = (heads + 2 * keyHeads) * half;
        int lane = context.localIdx;
        int pair = context.groupIdx * 2 + lane / TILE;
        int head = pair / half;
        int number = pair - head * half;
        float[] totals = context.allocateFloatLocalArray(LANES);
        int rows = pass.get(PassLayout.ROWS);
        for (int firstRow = 0; firstRow < rows; firstRow += TILE) {
            float total =
                    Tiles.ofRows(
                            context, weights, packed, scale, 2 * pairs, from, firstRow, size);
            totals[lane] = total;
            context.localBarrier();
            int row = firstRow + lane % TILE;
            if (lane < 2 * TILE) {
                if (pair < pairs) {
                    if (row < rows) {
                        float first = totals[lane / TILE * 2 * TILE + lane % TILE];
                        float second = totals[(lane / TILE * 2 + 1) * TILE + lane % TILE];
                        if (biasBase >= 0) {
                            first += biases.get(biasBase + 2 * pair);
                            second += biases.get(biasBase + 2 * pair + 1);
                        }
                        int position =
                                pass.get(PassLayout.HEAD + PassLayout.POSITION * maxRows + row);
                        int slot = pass.get(PassLayout.HEAD + PassLayout.SLOT * maxRows + row);
                        float cosine = 1f;
                        float sine = 0f;
                        if (rotate == 1) {
                            cosine = cosines.get(position * half + number);
                            sine = sines.get(position * half + number);
                        }
                        float rotatedFirst = first * cosine - second * sine;
                        float rotatedSecond = second * cosine + first * sine;
                        int place = layerBase + slot * width + (head - heads) * headSize + number;
                        if (head < heads) {
                            int query = (row * heads + head) * headSize + number;
                            queries.set(query, rotatedFirst);
                            queries.set(query + half, rotatedSecond);
                        }
                        if (head >= heads) {
                            if (head < heads + keyHeads) {
                                keys.set(place, rotatedFirst);
                                keys.set(place + half, rotatedSecond);
                            }
                        }
                        if (head >= heads + keyHeads) {
                            values.set(place - width, first);
                            values.set(place - width + half, second);
                        }
                    }
                }
            }
        }
    }

    /// A projection added to the residual stream: `to = stream + from * weights`. Grid: a group per [#TILE] outputs.
    ///
    /// @param pass       [PassLayout]
    /// @param from       rows `[n, size]`
    /// @param stream     rows `[n, outputs]` from `streamBase` on
    /// @param to         rows `[n, outputs]` from `toBase` on
    public static void residual(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            IntArray packed,
            float scale,
            FloatArray biases,
            int biasBase,
            FloatArray from,
            FloatArray stream,
            int streamBase,
            FloatArray to,
            int toBase,
            int size,
            int outputs) {
        int lane = context.localIdx;
        int output = context.groupIdx * TILE + lane / TILE;
        int rows = pass.get(PassLayout.ROWS);
        for (int firstRow = 0; firstRow < rows; firstRow += TILE) {
            float total =
                    Tiles.ofRows(
                            context, weights, packed, scale, outputs, from, firstRow, size);
            int row = firstRow + lane % TILE;
            if (lane < Tiles.SUMS) {
                if (output < outputs) {
                    if (row < rows) {
                        float sum = total;
                        if (biasBase >= 0) {
                            sum += biases.get(biasBase + output);
                        }
                        int place = row * outputs + output;
                        to.set(toBase + place, stream.get(streamBase + place) + sum);
                    }
                }
            }
        }
    }

    /// The feed-forward layer's gate and up projections: `to = silu(gate) * up`. Grid: a group per two numbers of
    /// `inner`.
    ///
    /// Output `2 i` is gate i, output `2 i + 1` is up i.
    ///
    /// @param pass  [PassLayout]
    /// @param from  normed rows `[n, size]`
    /// @param to    rows `[n, inner]`
    /// @see "Shazeer 2020, GLU variants"
    public static void gateUp(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            IntArray packed,
            float scale,
            FloatArray biases,
            int biasBase,
            FloatArray from,
            FloatArray to,
            int size,
            int inner) {
        int lane = context.localIdx;
        int number = context.groupIdx * 2 + lane / TILE;
        float[] totals = context.allocateFloatLocalArray(LANES);
        int rows = pass.get(PassLayout.ROWS);
        for (int firstRow = 0; firstRow < rows; firstRow += TILE) {
            float total =
                    Tiles.ofRows(
                            context, weights, packed, scale, 2 * inner, from, firstRow, size);
            totals[lane] = total;
            context.localBarrier();
            int row = firstRow + lane % TILE;
            if (lane < 2 * TILE) {
                if (number < inner) {
                    if (row < rows) {
                        float gate = totals[lane / TILE * 2 * TILE + lane % TILE];
                        float up = totals[(lane / TILE * 2 + 1) * TILE + lane % TILE];
                        if (biasBase >= 0) {
                            gate += biases.get(biasBase + 2 * number);
                            up += biases.get(biasBase + 2 * number + 1);
                        }
                        // Beyond 80 the quotient is zero, and a larger power would be infinite.
                        float power = TornadoMath.exp(TornadoMath.min(-gate, 80f));
                        to.set(row * inner + number, gate / (1f + power) * up);
                    }
                }
            }
        }
    }

    /// Logits of the rows that get them. Grid: a group per [#TILE] tokens.
    ///
    /// @param pass       [PassLayout]
    /// @param from       normed rows `[maxRows, size]`
    /// @param logits     `[rows with logits, vocabulary]`
    public static void head(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            IntArray packed,
            float scale,
            FloatArray from,
            FloatArray logits,
            int size,
            int vocabulary,
            int maxRows) {
        int lane = context.localIdx;
        int token = context.groupIdx * TILE + lane / TILE;
        int rows = pass.get(PassLayout.LOGIT_ROWS);
        int wanted = PassLayout.HEAD + PassLayout.LOGIT_ROW * maxRows;
        for (int firstRow = 0; firstRow < rows; firstRow += TILE) {
            float total =
                    Tiles.multiply(
                            context,
                            weights,
                            packed,
                            scale,
                            context.groupIdx * TILE,
                            vocabulary,
                            from,
                            pass.get(wanted + firstRow) * size,
                            pass.get(wanted + firstRow + 1) * size,
                            pass.get(wanted + firstRow + 2) * size,
                            pass.get(wanted + firstRow + 3) * size,
                            size);
            int row = firstRow + lane % TILE;
            if (lane < Tiles.SUMS) {
                if (token < vocabulary) {
                    if (row < rows) {
                        logits.set(row * vocabulary + token, total);
                    }
                }
            }
        }
    }
}
