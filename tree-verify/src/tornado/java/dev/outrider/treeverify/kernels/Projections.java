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

/// Products of rows and weight matrices, with what follows them fused in.
///
/// A group computes [#TILE] outputs for all rows, [#TILE] rows at a time, as [Tiles] multiplies them. Its weights come from
/// the device's memory once and from its cache for the further rows.
///
/// Matrices are `[outputs, inputs]`, row-major; those of [#queryKeyValue] and [#gateUp] are laid out so that the
/// two numbers an epilogue combines are neighbours, see there. Biases follow the order of the outputs; a negative
/// `biasIndex` means that there are none.
///
/// A matrix is `weights`, or, where `form` says so, `packed` as [HalfMatrix] or [LevelMatrix] has it; the other array is not read.
/// Scalars are constants when a kernel is compiled, so that it holds the code of one of them. What differs from layer to layer is
/// read from [LayerOffsets] instead: then the layers share the compiled kernel.
public final class Projections {
    /// Work items of a group.
    public static final int LANES = Tiles.LANES;

    /// Outputs of a group, and rows it takes at a time.
    public static final int TILE = Tiles.TILE;

    private static final int SILU = 0;
    private static final int GELU = 1;
    private static final int GELU_TANH = 2;

    private Projections() {}

    /// Queries, keys and values: projected, queries and keys rotated by the row's position, keys and values
    /// appended to the cache. Grid: a group per [#TILE] outputs.
    ///
    /// Output `2 p` is the first number of pair p, output `2 p + 1` the second; pairs go through the heads in the
    /// order queries, keys, values. Pair i of the first `rotary` numbers of a head is those at i and i + rotary / 2, and so are the
    /// pairs of the others, behind them.
    ///
    /// @param pass      [PassLayout]
    /// @param from      rows `[n, size]` from the offset at `fromIndex` on
    /// @param rotations `[positions, rotary / 2]` cosines, each with its sine behind it, from the offset at [LayerOffsets#ROTATION] on
    /// @param queries   `[n, heads * headSize]`
    /// @param keys      a cache row is `[keyHeads * headSize]`; this layer's begin at [LayerOffsets#CACHE]
    /// @param values    as `keys`
    /// @param offsets   [LayerOffsets]
    /// @param rotary    first numbers of a head that are rotated; 0 if [HeadNorms] rotates
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

    /// A projection added to the residual stream: `to = stream + factor * from * weights`. Grid: a group per [#TILE] outputs.
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

    /// The feed-forward layer's gate and up projections: `to = f(gate) * up`. Grid: a group per [#TILE] outputs,
    /// half as many numbers of `inner`.
    ///
    /// Output `2 i` is gate i, output `2 i + 1` is up i.
    ///
    /// @param pass  [PassLayout]
    /// @param from  rows `[n, size]` from the offset at `fromIndex` on
    /// @param to    rows `[n, inner]`
    /// @param offsets  [LayerOffsets]
    /// @param activation f, as [dev.outrider.nn.network.BlockForm.Activation] counts them
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

    /// The projection that opens a feed-forward layer without a gate: `to = f(up)`. Grid: a group per [#TILE] outputs. Arguments as
    /// those of [#gateUp].
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

    /// A function of feed-forward layers.
    private static float activated(int activation, float x) {
        float result = TornadoMath.max(x, 0f);
        // Beyond 80 a quotient is zero, and a larger power would be infinite.
        if (activation == SILU) {
            result = x / (1f + TornadoMath.exp(TornadoMath.min(-x, 80f)));
        }
        if (activation == GELU_TANH) {
            float twice = (x * x * 0.044715f + 1f) * x * 1.5957691f;
            result = x / (1f + TornadoMath.exp(TornadoMath.min(-twice, 80f)));
        }
        if (activation == GELU) {
            // Abramowitz and Stegun 1964, formula 7.1.26, as on the host.
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

    /// Logits of the rows that get them. Grid: a group per [#TILE] tokens.
    ///
    /// @param pass       [PassLayout]
    /// @param from       normed rows `[maxRows, size]`
    /// @param logits     `[rows with logits, vocabulary]`
    /// @param factor     of the sums
    /// @param cap        bound of logits: `cap * tanh(logit / cap)`; 0 for none
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

    /// Products of eight rows of a matrix and eight rows of numbers by one group: a lane has 64 sums in registers, and reads 16
    /// numbers for 64 multiplications. Each is summed over lanes in a fixed order that does not depend on the number of rows.
    ///
    /// Other numbers of outputs, rows and lanes were measured: see docs/decisions/0096.
    static final class Tiles {
        /// Work items of a group.
        static final int LANES = 128;

        /// Outputs of a group, and rows it takes at a time.
        static final int TILE = 8;

        /// Sums of a group.
        static final int SUMS = TILE * TILE;

        /// Places of a lane's sums in local memory: one more than sums, so that lanes do not meet in one bank.
        private static final int STRIDE = SUMS + 1;

        /// In place of a table of rows: they follow one another.
        static final int IN_ORDER = -1;

        private Tiles() {}

        /// Products of eight outputs' weights and eight rows: lane `8 o + r`, counted modulo 64, returns that of output
        /// `firstOutput + o` and row `firstRow + r`. Outputs and rows beyond the last repeat it.
        ///
        /// @param width elements of a row of the matrix
        /// @param from  rows of `size` numbers from `fromBase` on
        /// @param rows  how many there are
        /// @param table where `pass` has the numbers of the rows, or [#IN_ORDER]
        ///
        /// The caller hands their sums of this lane to [#sum]: in one, both would be more than TornadoVM takes into a method.
        ///
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
            // Words, and behind them those of higher bits.
            int[] words = new int[2 * TILE];
            // Scales, and behind them offsets.
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
                // Parts of a word of levels that share a scale.
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
                        // What fills up a packed row is zero.
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

        /// The sum over all lanes of a lane's product, see [#multiply].
        ///
        /// Local memory is allocated here and not handed in: a local array that is an argument is indexed in bytes by
        /// TornadoVM 5.2.0's OpenCL compiler.
        static float sum(KernelContext context, int form, float[] products) {
            float[] partial = context.allocateFloatLocalArray(LANES * STRIDE);
            float[] sums = context.allocateFloatLocalArray(LANES);
            int lane = context.localIdx;
            for (int each = 0; each < SUMS; each++) {
                partial[lane * STRIDE + each] = products[each];
            }
            context.localBarrier();
            // Lane l adds up sum l % 64 of half of the lanes.
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

    /// A matrix in one of the forms that kernels read. They take it by three arguments: [#floats], [#packed] and [#form].
    ///
    /// @param array the matrix, a [FloatArray], or an [IntArray] as [HalfMatrix] or [LevelMatrix] packs it
    /// @param form  as [LevelMatrix] has it; or 32; or 16 plus 65536 p, where numbers are multiples of `2^(p - 24)`
    /// @param rows  its rows
    /// @param size  numbers of a row
    public record StoredMatrix(TornadoNativeArray array, int form, int rows, int size) {
        private static final int POWER = 16;

        /// What numbers of a packed matrix are multiplied by. Kernels call it.
        static float unit(int form) {
            return LevelMatrix.UNIT * (1 << (form >> POWER));
        }

        /// The number that a part of a word is. Kernels call it.
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

        /// A part of a word of a packed matrix. Kernels call it.
        ///
        /// @param higher the word of higher bits, if there are
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

        /// The scale of a number of a matrix of levels, or its offset. Kernels call it.
        ///
        /// @param first where its row begins
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

        /// A number of a packed matrix. Kernels call it.
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

        /// The floats.
        ///
        /// @param other what a kernel gets in their place if they are packed, and does not read
        public FloatArray floats(FloatArray other) {
            return array instanceof FloatArray floats ? floats : other;
        }

        /// The packed numbers.
        ///
        /// @param other what a kernel gets in their place if they are not packed, and does not read
        public IntArray packed(IntArray other) {
            return array instanceof IntArray packed ? packed : other;
        }

        /// Its numbers, `[rows, size]`, in the host's memory. Owner: this object if it is not packed, else the garbage
        /// collector.
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
