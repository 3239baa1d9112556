package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.HalfMatrix;
import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import dev.outrider.treeverify.pass.QuantizedLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Products of rows and weight matrices, with the next operation fused into the same kernel.
///
/// A group computes [#TILE] outputs for all rows, [#TILE] rows at a time, with [Tiles]. It reads its weights from the device's
/// memory once, and from the device's cache for the other rows.
///
/// Matrices are `[outputs, inputs]`, row-major. In those of [#queryKeyValue] and [#gateUp] the two outputs that are combined are
/// adjacent; see these methods. Biases have the order of the matrix's rows; a negative `biasIndex` means that there are none.
///
/// Depending on `form`, a matrix is in `weights`, or in `packed` as a [HalfMatrix] or [QuantizedLayout]; the other array is not
/// read. Scalars are constants when a kernel is compiled, so the compiled code is for one form. Values that differ between
/// layers are read from [LayerOffsets] instead, so that the layers share the compiled kernel.
public final class Projections {
    /// Work items of a group.
    public static final int LANES = Tiles.LANES;

    /// Outputs of a group, and the rows that it takes at a time.
    public static final int TILE = Tiles.TILE;

    private static final int SILU = 0;
    private static final int GELU = 1;
    private static final int GELU_TANH = 2;

    private Projections() {}

    /// Computes queries, keys and values, rotates queries and keys by the row's position, and appends keys and values to the
    /// cache. Grid: a group per [#TILE] outputs.
    ///
    /// Output `2 p` is the first number of pair p, output `2 p + 1` the second. Pairs are in the order of the heads: queries,
    /// keys, values. Pair i of the first `rotary` numbers of a head consists of the numbers i and i + rotary / 2. The numbers
    /// after them are paired in the same way.
    ///
    /// @param pass      [PassLayout]
    /// @param from      rows `[n, size]` from the offset at `fromIndex` on
    /// @param rotations `[positions, rotary / 2]` cosines, each followed by its sine, from the offset at [LayerOffsets#ROTATION]
    ///                  on
    /// @param queries   `[n, heads * headSize]`
    /// @param keys      the layer's keys, see [LayerOffsets#CACHE]
    /// @param values    the layer's values
    /// @param offsets   [LayerOffsets]
    /// @param rotary    how many first numbers of a head are rotated; 0 if [HeadNorms] rotates
    /// @param epsilon   of the rows' norm if they are those of [FoldedNorms]; otherwise negative
    public static void queryKeyValue(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            IntArray packed,
            int form,
            FloatArray biases,
            int biasIndex,
            FloatArray from,
            int fromIndex,
            FloatArray rotations,
            FloatArray queries,
            FloatArray keys,
            FloatArray values,
            IntArray offsets,
            int size,
            int heads,
            int keyHeads,
            int headSize,
            int rotary,
            float epsilon) {
        int maxRows = offsets.get(LayerOffsets.MAX_ROWS);
        int half = headSize / 2;
        int turned = rotary / 2;
        int angles = offsets.get(LayerOffsets.ROTATION);
        int fromBase = offsets.get(fromIndex);
        int width = keyHeads * headSize;
        int layerBase = offsets.get(LayerOffsets.CACHE);
        int cacheRows = offsets.get(LayerOffsets.CACHE_ROWS);
        int pairs = (heads + 2 * keyHeads) * half;
        int lane = context.localIdx;
        int pair = context.groupIdx * (TILE / 2) + lane / TILE;
        int head = pair / half;
        int inHead = pair - head * half;
        int number = inHead;
        int apart = half;
        if (turned > 0) {
            apart = turned;
            if (inHead >= turned) {
                number = inHead + turned;
                apart = half - turned;
            }
        }
        float[] totals = context.allocateFloatLocalArray(LANES);
        int rows = pass.get(PassLayout.ROWS);
        for (int firstRow = 0; firstRow < rows; firstRow += TILE) {
            float[] products = new float[Tiles.SUMS];
            Tiles.multiply(
                    context, pass, weights, packed, form, QuantizedLayout.words(form, size),
                    2 * pairs, from, fromBase, firstRow, rows, Tiles.IN_ORDER, size, products);
            float total =
                    FoldedNorms.normed(
                            context, Tiles.sum(context, form, products), from, firstRow, rows,
                            maxRows, size, epsilon);
            totals[lane] = total;
            context.localBarrier();
            int row = firstRow + lane % TILE;
            if (lane < Tiles.SUMS / 2) {
                if (pair < pairs) {
                    if (row < rows) {
                        float first = totals[lane / TILE * 2 * TILE + lane % TILE];
                        float second = totals[(lane / TILE * 2 + 1) * TILE + lane % TILE];
                        if (biasIndex >= 0) {
                            int bias = offsets.get(biasIndex) + 2 * pair;
                            first += biases.get(bias);
                            second += biases.get(bias + 1);
                        }
                        int position =
                                pass.get(PassLayout.HEAD + PassLayout.POSITION * maxRows + row);
                        int slot = pass.get(PassLayout.HEAD + PassLayout.SLOT * maxRows + row);
                        float cosine = 1f;
                        float sine = 0f;
                        if (inHead < turned) {
                            cosine = rotations.get(angles + 2 * (position * turned + inHead));
                            sine = rotations.get(angles + 2 * (position * turned + inHead) + 1);
                        }
                        float rotatedFirst = first * cosine - second * sine;
                        float rotatedSecond = second * cosine + first * sine;
                        int inCache = (head - heads) * headSize + number;
                        int key = layerBase + inCache * cacheRows + slot;
                        int value = layerBase + (slot - 1) * width + inCache;
                        if (head < heads) {
                            int query = (row * heads + head) * headSize + number;
                            queries.set(query, rotatedFirst);
                            queries.set(query + apart, rotatedSecond);
                        }
                        if (head >= heads) {
                            if (head < heads + keyHeads) {
                                keys.set(key, rotatedFirst);
                                keys.set(key + apart * cacheRows, rotatedSecond);
                            }
                        }
                        if (head >= heads + keyHeads) {
                            values.set(value, first);
                            values.set(value + apart, second);
                        }
                    }
                }
            }
        }
    }

    /// Computes a projection and adds it to the residual stream: `to = stream + factor * from * weights`. Grid: a group per
    /// [#TILE] outputs.
    ///
    /// @param pass       [PassLayout]
    /// @param from       rows `[n, size]`
    /// @param stream     rows `[n, outputs]` from the offset at `streamIndex` on; none if that is negative
    /// @param to         rows `[n, outputs]` from the offset at `toIndex` on
    /// @param norms      weights `[outputs]` of the next norm from the offset at `normIndex` on
    /// @param normIndex  negative if there are no folded norms
    /// @param normed     rows of [FoldedNorms]
    /// @param offsets    [LayerOffsets]
    /// @param experts    number of experts, whose matrices follow each other; 0 for one matrix. With experts, `pass` has
    ///                   [dev.outrider.treeverify.pass.ExpertSizes#choices], rows are choices, and `stream` has their factors
    public static void residual(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            IntArray packed,
            int form,
            FloatArray biases,
            int biasIndex,
            FloatArray from,
            FloatArray stream,
            int streamIndex,
            FloatArray to,
            int toIndex,
            FloatArray norms,
            int normIndex,
            FloatArray normed,
            IntArray offsets,
            int size,
            int outputs,
            float factor,
            int experts) {
        int lane = context.localIdx;
        int groups = (outputs + TILE - 1) / TILE;
        int expert = context.groupIdx / groups;
        int output = (context.groupIdx - expert * groups) * TILE + lane / TILE;
        int rows = pass.get(PassLayout.ROWS + expert);
        int table = Tiles.IN_ORDER;
        if (experts > 0) {
            table = experts + (experts + expert) * offsets.get(LayerOffsets.MAX_ROWS);
        }
        int streamBase = 0;
        if (streamIndex >= 0) {
            streamBase = offsets.get(streamIndex);
        }
        int normBase = 0;
        if (normIndex >= 0) {
            normBase = offsets.get(normIndex);
        }
        int toBase = offsets.get(toIndex);
        for (int firstRow = 0; firstRow < rows; firstRow += TILE) {
            float[] products = new float[Tiles.SUMS];
            Tiles.multiply(
                    context, pass, weights, packed, form, QuantizedLayout.words(form, size),
                    outputs + experts * groups * TILE, from, 0, firstRow, rows, table, size,
                    products);
            float total = Tiles.sum(context, form, products);
            float square = 0f;
            int row = firstRow + lane % TILE;
            if (lane < Tiles.SUMS) {
                if (output < outputs) {
                    if (row < rows) {
                        float sum = total;
                        if (biasIndex >= 0) {
                            int bias = offsets.get(biasIndex) + expert * groups * TILE;
                            sum += biases.get(bias + output);
                        }
                        sum = sum * factor;
                        int own = row;
                        if (experts > 0) {
                            own = pass.get(table + row);
                            sum = sum * stream.get(own);
                        }
                        int place = own * outputs + output;
                        if (streamIndex >= 0) {
                            sum = stream.get(streamBase + place) + sum;
                        }
                        to.set(toBase + place, sum);
                        if (normIndex >= 0) {
                            normed.set(place, sum * norms.get(normBase + output));
                            square = sum * sum;
                        }
                    }
                }
            }
            if (normIndex >= 0) {
                float squares = FoldedNorms.sumOverOutputs(context, square);
                int maxRows = offsets.get(LayerOffsets.MAX_ROWS);
                if (lane < TornadoMath.min(TILE, rows - firstRow)) {
                    normed.set(
                            FoldedNorms.place(maxRows, outputs, row, context.groupIdx), squares);
                }
            }
        }
    }

    /// Computes the feed-forward layer's gate and up projections: `to = f(gate) * up`. Grid: a group per [#TILE] outputs, which
    /// are half as many numbers of `inner`.
    ///
    /// Output `2 i` is gate i, output `2 i + 1` is up i.
    ///
    /// @param pass  [PassLayout]
    /// @param from  rows `[n, size]` from the offset at `fromIndex` on
    /// @param to    rows `[n, inner]`
    /// @param offsets  [LayerOffsets]
    /// @param activation f, by its ordinal in [dev.outrider.nn.network.BlockForm.Activation]
    /// @param slope      of a bounded gate, which replaces that product
    /// @param limit      its bound; 0 for none
    /// @param experts    as in [#residual], but rows are those of the pass; `to` has a row for each choice
    /// @param epsilon    as in [#queryKeyValue]
    /// @see "Shazeer 2020, GLU variants"
    public static void gateUp(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            IntArray packed,
            int form,
            FloatArray biases,
            int biasIndex,
            FloatArray from,
            int fromIndex,
            FloatArray to,
            IntArray offsets,
            int size,
            int inner,
            int activation,
            float slope,
            float limit,
            int experts,
            int maxRows,
            float epsilon) {
        int lane = context.localIdx;
        int fromBase = offsets.get(fromIndex);
        int groups = (2 * inner + TILE - 1) / TILE;
        int expert = context.groupIdx / groups;
        int number = (context.groupIdx - expert * groups) * (TILE / 2) + lane / TILE;
        int table = Tiles.IN_ORDER;
        if (experts > 0) {
            table = experts + expert * maxRows;
        }
        float[] totals = context.allocateFloatLocalArray(LANES);
        int rows = pass.get(PassLayout.ROWS + expert);
        for (int firstRow = 0; firstRow < rows; firstRow += TILE) {
            float[] products = new float[Tiles.SUMS];
            Tiles.multiply(
                    context, pass, weights, packed, form, QuantizedLayout.words(form, size),
                    2 * inner + experts * groups * TILE, from, fromBase, firstRow, rows, table,
                    size, products);
            float total =
                    FoldedNorms.normed(
                            context, Tiles.sum(context, form, products), from, firstRow, rows,
                            maxRows, size, epsilon);
            totals[lane] = total;
            context.localBarrier();
            int row = firstRow + lane % TILE;
            if (lane < Tiles.SUMS / 2) {
                if (number < inner) {
                    if (row < rows) {
                        float gate = totals[lane / TILE * 2 * TILE + lane % TILE];
                        float up = totals[(lane / TILE * 2 + 1) * TILE + lane % TILE];
                        if (biasIndex >= 0) {
                            int bias = offsets.get(biasIndex) + expert * groups * TILE + 2 * number;
                            gate += biases.get(bias);
                            up += biases.get(bias + 1);
                        }
                        int own = row;
                        if (experts > 0) {
                            own = pass.get(table + experts * maxRows + row);
                        }
                        float value = activated(activation, gate) * up;
                        if (limit > 0f) {
                            value = bounded(gate, up, slope, limit);
                        }
                        to.set(own * inner + number, value);
                    }
                }
            }
        }
    }

    /// Computes the first projection of a feed-forward layer without a gate: `to = f(up)`. Grid: a group per [#TILE] outputs. The
    /// arguments are those of [#gateUp], but `slope`, `limit` and `experts` are always 0 and not read: experts and bounds have a
    /// gate ([dev.outrider.nn.network.BlockForm.FeedForward]).
    public static void up(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            IntArray packed,
            int form,
            FloatArray biases,
            int biasIndex,
            FloatArray from,
            int fromIndex,
            FloatArray to,
            IntArray offsets,
            int size,
            int inner,
            int activation,
            float slope,
            float limit,
            int experts,
            int maxRows,
            float epsilon) {
        int lane = context.localIdx;
        int output = context.groupIdx * TILE + lane / TILE;
        int rows = pass.get(PassLayout.ROWS);
        int fromBase = offsets.get(fromIndex);
        for (int firstRow = 0; firstRow < rows; firstRow += TILE) {
            float[] products = new float[Tiles.SUMS];
            Tiles.multiply(
                    context, pass, weights, packed, form, QuantizedLayout.words(form, size), inner,
                    from, fromBase, firstRow, rows, Tiles.IN_ORDER, size, products);
            float total =
                    FoldedNorms.normed(
                            context, Tiles.sum(context, form, products), from, firstRow, rows,
                            maxRows, size, epsilon);
            int row = firstRow + lane % TILE;
            if (lane < Tiles.SUMS) {
                if (output < inner) {
                    if (row < rows) {
                        float sum = total;
                        if (biasIndex >= 0) {
                            sum += biases.get(offsets.get(biasIndex) + output);
                        }
                        to.set(row * inner + output, activated(activation, sum));
                    }
                }
            }
        }
    }

    /// Returns the output of a bounded gate; NaN stays NaN.
    ///
    /// @see dev.outrider.nn.network.BlockForm.BoundedGate
    private static float bounded(float gate, float up, float slope, float limit) {
        float open = gate;
        if (open > limit) {
            open = limit;
        }
        float other = up;
        if (other > limit) {
            other = limit;
        }
        if (other < -limit) {
            other = -limit;
        }
        float power = TornadoMath.exp(TornadoMath.min(-slope * open, 80f));
        return open / (1f + power) * (other + 1f);
    }

    /// Returns the value of a feed-forward layer's function.
    private static float activated(int activation, float x) {
        float result = TornadoMath.max(x, 0f);
        // Beyond 80 the quotient is zero; a larger power would be infinite.
        if (activation == SILU) {
            result = x / (1f + TornadoMath.exp(TornadoMath.min(-x, 80f)));
        }
        if (activation == GELU_TANH) {
            float twice = (x * x * 0.044715f + 1f) * x * 1.5957691f;
            result = x / (1f + TornadoMath.exp(TornadoMath.min(-twice, 80f)));
        }
        if (activation == GELU) {
            // Abramowitz and Stegun 1964, formula 7.1.26, the same as on the host.
            float size = TornadoMath.max(x, -x);
            float z = size * 0.70710678f;
            float t = 1f / (z * 0.3275911f + 1f);
            float sum = 1.061405429f * t - 1.453152027f;
            sum = sum * t + 1.421413741f;
            sum = sum * t - 0.284496736f;
            sum = sum * t + 0.254829592f;
            float tail = sum * t * TornadoMath.exp(TornadoMath.max(-z * z, -80f)) * 0.5f;
            result = result - size * tail;
        }
        return result;
    }

    /// Computes the logits of the rows that get them. Grid: a group per [#TILE] tokens.
    ///
    /// @param pass       [PassLayout]
    /// @param from       normed rows `[maxRows, size]`
    /// @param logits     `[rows with logits, vocabulary]`
    /// @param factor     factor of the sums
    /// @param cap        bound of logits: `cap * tanh(logit / cap)`; 0 for no bound
    public static void head(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            IntArray packed,
            int form,
            FloatArray from,
            FloatArray logits,
            int size,
            int vocabulary,
            int maxRows,
            float factor,
            float cap) {
        int lane = context.localIdx;
        int token = context.groupIdx * TILE + lane / TILE;
        int rows = pass.get(PassLayout.LOGIT_ROWS);
        int wanted = PassLayout.HEAD + PassLayout.LOGIT_ROW * maxRows;
        for (int firstRow = 0; firstRow < rows; firstRow += TILE) {
            float[] products = new float[Tiles.SUMS];
            Tiles.multiply(
                    context,
                    pass,
                    weights,
                    packed,
                    form,
                    QuantizedLayout.words(form, size),
                    vocabulary,
                    from,
                    0,
                    firstRow,
                    rows,
                    wanted,
                    size,
                    products);
            float total = Tiles.sum(context, form, products);
            int row = firstRow + lane % TILE;
            if (lane < Tiles.SUMS) {
                if (token < vocabulary) {
                    if (row < rows) {
                        float logit = total * factor;
                        if (cap > 0f) {
                            logit = TreeAttention.capped(logit, cap);
                        }
                        logits.set(row * vocabulary + token, logit);
                    }
                }
            }
        }
    }
}
