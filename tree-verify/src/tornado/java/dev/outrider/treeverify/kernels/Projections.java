package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.HalfMatrix;
import dev.outrider.treeverify.pass.LevelMatrix;
import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import dev.outrider.treeverify.pass.ProgramShape.DeviceMatrix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/// Products of rows and weight matrices, with the next operation fused into the same kernel.
///
/// A group computes [#TILE] outputs for all rows, [#TILE] rows at a time, with [Tiles]. It reads its weights from the device's
/// memory once, and from the device's cache for the other rows.
///
/// Matrices are `[outputs, inputs]`, row-major. In those of [#queryKeyValue] and [#gateUp] the two outputs that are combined are
/// adjacent; see these methods. Biases have the order of the outputs; a negative `biasIndex` means that there are none.
///
/// Depending on `form`, a matrix is in `weights`, or in `packed` as a [HalfMatrix] or [LevelMatrix]; the other array is not read.
/// Scalars are constants when a kernel is compiled, so the compiled code is for one form. Values that differ between layers are
/// read from [LayerOffsets] instead, so that the layers share the compiled kernel.
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
    /// @param keys      a cache row is `[keyHeads * headSize]`; this layer's rows begin at [LayerOffsets#CACHE]
    /// @param values    as `keys`
    /// @param offsets   [LayerOffsets]
    /// @param rotary    how many first numbers of a head are rotated; 0 if [HeadNorms] rotates
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
            int maxRows) {
        int half = headSize / 2;
        int turned = rotary / 2;
        int angles = offsets.get(LayerOffsets.ROTATION);
        int fromBase = offsets.get(fromIndex);
        int width = keyHeads * headSize;
        int layerBase = offsets.get(LayerOffsets.CACHE);
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
                    context,
                    pass,
                    weights,
                    packed,
                    form,
                    LevelMatrix.words(form, size),
                    2 * pairs,
                    from,
                    fromBase,
                    firstRow,
                    rows,
                    Tiles.IN_ORDER,
                    size,
                    products);
            totals[lane] = Tiles.sum(context, form, products);
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
                        int place = layerBase + slot * width + (head - heads) * headSize + number;
                        if (head < heads) {
                            int query = (row * heads + head) * headSize + number;
                            queries.set(query, rotatedFirst);
                            queries.set(query + apart, rotatedSecond);
                        }
                        if (head >= heads) {
                            if (head < heads + keyHeads) {
                                keys.set(place, rotatedFirst);
                                keys.set(place + apart, rotatedSecond);
                            }
                        }
                        if (head >= heads + keyHeads) {
                            values.set(place - width, first);
                            values.set(place - width + apart, second);
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
    /// @param offsets    [LayerOffsets]
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
            IntArray offsets,
            int size,
            int outputs,
            float factor) {
        int lane = context.localIdx;
        int output = context.groupIdx * TILE + lane / TILE;
        int rows = pass.get(PassLayout.ROWS);
        int streamBase = 0;
        if (streamIndex >= 0) {
            streamBase = offsets.get(streamIndex);
        }
        int toBase = offsets.get(toIndex);
        for (int firstRow = 0; firstRow < rows; firstRow += TILE) {
            float[] products = new float[Tiles.SUMS];
            Tiles.multiply(
                    context,
                    pass,
                    weights,
                    packed,
                    form,
                    LevelMatrix.words(form, size),
                    outputs,
                    from,
                    0,
                    firstRow,
                    rows,
                    Tiles.IN_ORDER,
                    size,
                    products);
            float total = Tiles.sum(context, form, products);
            int row = firstRow + lane % TILE;
            if (lane < Tiles.SUMS) {
                if (output < outputs) {
                    if (row < rows) {
                        float sum = total;
                        if (biasIndex >= 0) {
                            sum += biases.get(offsets.get(biasIndex) + output);
                        }
                        int place = row * outputs + output;
                        sum = sum * factor;
                        if (streamIndex >= 0) {
                            sum = stream.get(streamBase + place) + sum;
                        }
                        to.set(toBase + place, sum);
                    }
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
            int activation) {
        int lane = context.localIdx;
        int fromBase = offsets.get(fromIndex);
        int number = context.groupIdx * (TILE / 2) + lane / TILE;
        float[] totals = context.allocateFloatLocalArray(LANES);
        int rows = pass.get(PassLayout.ROWS);
        for (int firstRow = 0; firstRow < rows; firstRow += TILE) {
            float[] products = new float[Tiles.SUMS];
            Tiles.multiply(
                    context,
                    pass,
                    weights,
                    packed,
                    form,
                    LevelMatrix.words(form, size),
                    2 * inner,
                    from,
                    fromBase,
                    firstRow,
                    rows,
                    Tiles.IN_ORDER,
                    size,
                    products);
            totals[lane] = Tiles.sum(context, form, products);
            context.localBarrier();
            int row = firstRow + lane % TILE;
            if (lane < Tiles.SUMS / 2) {
                if (number < inner) {
                    if (row < rows) {
                        float gate = totals[lane / TILE * 2 * TILE + lane % TILE];
                        float up = totals[(lane / TILE * 2 + 1) * TILE + lane % TILE];
                        if (biasIndex >= 0) {
                            int bias = offsets.get(biasIndex) + 2 * number;
                            gate += biases.get(bias);
                            up += biases.get(bias + 1);
                        }
                        to.set(row * inner + number, activated(activation, gate) * up);
                    }
                }
            }
        }
    }

    /// Computes the first projection of a feed-forward layer without a gate: `to = f(up)`. Grid: a group per [#TILE] outputs. The
    /// arguments are those of [#gateUp].
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
            int activation) {
        int lane = context.localIdx;
        int output = context.groupIdx * TILE + lane / TILE;
        int rows = pass.get(PassLayout.ROWS);
        int fromBase = offsets.get(fromIndex);
        for (int firstRow = 0; firstRow < rows; firstRow += TILE) {
            float[] products = new float[Tiles.SUMS];
            Tiles.multiply(
                    context,
                    pass,
                    weights,
                    packed,
                    form,
                    LevelMatrix.words(form, size),
                    inner,
                    from,
                    fromBase,
                    firstRow,
                    rows,
                    Tiles.IN_ORDER,
                    size,
                    products);
            float total = Tiles.sum(context, form, products);
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
                    LevelMatrix.words(form, size),
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

    /// Computes products of eight rows of a matrix and eight rows of numbers in one group. A lane has 64 sums in registers, and
    /// reads 16 numbers for 64 multiplications. Each sum is added over lanes in a fixed order that does not depend on the number
    /// of rows.
    ///
    /// docs/decisions/0096 has measurements of other numbers of outputs, rows and lanes.
    static final class Tiles {
        /// Work items of a group.
        static final int LANES = 128;

        /// Outputs of a group, and the rows that it takes at a time.
        static final int TILE = 8;

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
            for (int word = lane; word < LevelMatrix.numbered(form, size); word += LANES) {
                if (LevelMatrix.bits(form) < 32) {
                    for (int o = 0; o < TILE; o++) {
                        words[o] = packed.get(weightAt[o] + word);
                        if (LevelMatrix.split(form)) {
                            int place = LevelMatrix.numbered(form, size);
                            words[TILE + o] =
                                    packed.get(
                                            weightAt[o] + place + LevelMatrix.higher(form, word));
                        }
                    }
                }
                // Loop over the groups of parts of a word that share a scale.
                for (int first = 0;
                        first < LevelMatrix.parts(form);
                        first += LevelMatrix.group(form) >> 3) {
                    if (LevelMatrix.bits(form) < 16) {
                        for (int each = 0; each < LevelMatrix.pairs(form) * TILE; each++) {
                            scales[each] =
                                    StoredMatrix.scale(
                                            packed,
                                            form,
                                            weightAt[each & (TILE - 1)],
                                            width,
                                            LevelMatrix.column(word, first),
                                            size,
                                            each >> 3);
                        }
                    }
                    for (int part = first;
                            part < LevelMatrix.end(form, first);
                            part++) {
                        // The padding of a packed row is zero, so any number may be read for it.
                        int i = TornadoMath.min(StoredMatrix.column(form, word, part), size - 1);
                        for (int r = 0; r < TILE; r++) {
                            numbers[r] = from.get(rowAt[r] + i);
                        }
                        for (int o = 0; o < TILE; o++) {
                            float weight = 0f;
                            if (LevelMatrix.bits(form) == 32) {
                                weight = weights.get(weightAt[o] + i);
                            }
                            if (LevelMatrix.bits(form) < 32) {
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
            if (LevelMatrix.bits(form) < 32) {
                total = total * StoredMatrix.unit(form);
            }
            return total;
        }
    }

    /// A matrix in one of the forms that kernels read. A kernel has three arguments for it: [#floats], [#packed] and [#form].
    ///
    /// @param array the matrix: a [FloatArray], or an [IntArray] packed by [HalfMatrix] or [LevelMatrix]
    /// @param form  a form of [LevelMatrix]; or 32; or 16 plus 65536 p, if the scale is `2^(p - 24)`
    /// @param rows  number of its rows
    /// @param size  numbers of a row
    public record StoredMatrix(TornadoNativeArray array, int form, int rows, int size) {
        private static final int POWER = 16;

        /// Returns the factor of the numbers of a packed matrix. Kernels call it.
        static float unit(int form) {
            return LevelMatrix.UNIT * (1 << (form >> POWER));
        }

        /// Returns the column of the number in a part of a word. Kernels call it.
        static int column(int form, int word, int part) {
            int column = word;
            if (LevelMatrix.bits(form) == 16) {
                int half = HalfMatrix.HALF_BLOCK;
                column = 2 * word - (word & (half - 1)) + part * half;
            }
            if (LevelMatrix.bits(form) < 16) {
                column = LevelMatrix.column(word, part);
            }
            return column;
        }

        /// Returns the number in a part of a word of a packed matrix. Kernels call it.
        ///
        /// @param higher the word of higher bits, if there are any
        static float weight(
                int form, int bits, int higher, int word, int part, float scale, float offset) {
            float weight = 0f;
            if (LevelMatrix.bits(form) == 16) {
                weight = HalfMatrix.significand(bits, part);
            }
            if (LevelMatrix.bits(form) < 16) {
                weight = LevelMatrix.level(form, bits, higher, word, part) * scale - offset;
            }
            return weight;
        }

        /// Returns the scale of a number of a matrix of levels, or its offset. Kernels call it.
        ///
        /// @param first start of its row
        /// @param width elements of its row
        /// @param which 0 for the scale, 1 for the offset
        static float scale(
                IntArray packed,
                int form,
                int first,
                int width,
                int column,
                int size,
                int which) {
            int unit = LevelMatrix.unit(form, column, which);
            int units = packed.get(first + width - 1 - (unit >> 1));
            float scale = HalfMatrix.significand(units, unit & 1);
            if (LevelMatrix.counted(form)) {
                int count = LevelMatrix.count(form, column, which);
                int counts = packed.get(first + LevelMatrix.counts(form, size) + (count >> 2));
                scale = scale * LevelMatrix.times(counts, count & 3);
            }
            return scale;
        }

        /// Returns a number of a packed matrix. Kernels call it.
        static float number(IntArray packed, int form, int row, int column, int size) {
            int bits = LevelMatrix.bits(form);
            int width = LevelMatrix.words(form, size);
            int first = row * width;
            float number = 0f;
            if (bits == 16) {
                int word = packed.get(first + HalfMatrix.wordOf(column));
                number = HalfMatrix.significand(word, HalfMatrix.partOf(column));
            }
            if (bits < 16) {
                int word = LevelMatrix.wordOf(column);
                int lower = packed.get(first + word);
                int higher = 0;
                if (LevelMatrix.split(form)) {
                    int place = LevelMatrix.numbered(form, size) + LevelMatrix.higher(form, word);
                    higher = packed.get(first + place);
                }
                float factor =
                        LevelMatrix.level(form, lower, higher, word, LevelMatrix.partOf(column));
                for (int which = 0; which < LevelMatrix.pairs(form); which++) {
                    number += factor * scale(packed, form, first, width, column, size, which);
                    factor = -1f;
                }
            }
            return number * unit(form);
        }

        /// Stores a matrix.
        ///
        /// @param filler writes its floats, `[rows, size]`, or packed levels
        /// @throws dev.outrider.spi.error.OutriderException `CHECKPOINT_UNSUPPORTED` if the format does not hold a number
        public static StoredMatrix of(DeviceMatrix matrix, Consumer<MemorySegment> filler) {
            int form = matrix.form();
            int rows = matrix.rows();
            int size = matrix.size();
            int words = Math.toIntExact(matrix.words());
            if (form == Float.SIZE) {
                var floats = new FloatArray(words);
                filler.accept(floats.getSegment());
                return new StoredMatrix(floats, form, rows, size);
            }
            var packed = new IntArray(words);
            if (form != Short.SIZE) {
                filler.accept(packed.getSegment());
                return new StoredMatrix(packed, form, rows, size);
            }
            try (var arena = Arena.ofConfined()) {
                var floats = arena.allocate(ValueLayout.JAVA_FLOAT, (long) rows * size);
                filler.accept(floats);
                float scale =
                        HalfMatrix.pack(matrix.name(), floats, rows, size, packed.getSegment());
                int power = Math.getExponent(scale / LevelMatrix.UNIT);
                return new StoredMatrix(packed, form + (power << POWER), rows, size);
            }
        }

        /// Returns the floats.
        ///
        /// @param other an array to return if the numbers are packed; the kernel does not read it
        public FloatArray floats(FloatArray other) {
            return array instanceof FloatArray floats ? floats : other;
        }

        /// Returns the packed numbers.
        ///
        /// @param other an array to return if the numbers are not packed; the kernel does not read it
        public IntArray packed(IntArray other) {
            return array instanceof IntArray packed ? packed : other;
        }

        /// Returns its numbers, `[rows, size]`, in the host's memory. This object owns them if it is not packed; otherwise they
        /// are a copy that the garbage collector frees.
        public MemorySegment numbers() {
            if (array instanceof FloatArray floats) {
                return floats.getSegment();
            }
            var numbers = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, (long) rows * size);
            for (long index = 0; index < (long) rows * size; index++) {
                int row = (int) (index / size);
                float number = number((IntArray) array, form, row, (int) (index % size), size);
                numbers.setAtIndex(ValueLayout.JAVA_FLOAT, index, number);
            }
            return numbers;
        }
    }
}
