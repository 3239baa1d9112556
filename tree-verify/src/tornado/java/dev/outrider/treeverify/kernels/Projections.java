package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.pass.HalfMatrix;
import dev.outrider.treeverify.pass.PassStaging.PassLayout;
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
/// `biasPlace` means that there are none.
///
/// A matrix is `weights`, or, where `scale` is not 0, `packed` as [HalfMatrix] has it; the other array is not read.
/// Scalars are constants when a kernel is compiled, so that it holds the code of one of them. What differs from layer to layer is
/// read from [Places] instead: then the layers share the compiled kernel.
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
    /// @param keys      a cache row is `[keyHeads * headSize]`; this layer's begin at [Places#CACHE]
    /// @param values    as `keys`
    /// @param places    [Places]
    /// @param rotate    1, or 0 if [HeadNorms] rotates
    public static void queryKeyValue(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            IntArray packed,
            float scale,
            FloatArray biases,
            int biasPlace,
            FloatArray from,
            FloatArray cosines,
            FloatArray sines,
            FloatArray queries,
            FloatArray keys,
            FloatArray values,
            IntArray places,
            int size,
            int heads,
            int keyHeads,
            int headSize,
            int rotate,
            int maxRows) {
        int half = headSize / 2;
        int width = keyHeads * headSize;
        int layerBase = places.get(Places.CACHE);
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
                        if (biasPlace >= 0) {
                            int bias = places.get(biasPlace) + 2 * pair;
                            first += biases.get(bias);
                            second += biases.get(bias + 1);
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
    /// @param stream     rows `[n, outputs]` from the number at `streamPlace` of `places` on
    /// @param to         rows `[n, outputs]` from the number at `toPlace` of `places` on
    /// @param places     [Places]
    public static void residual(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            IntArray packed,
            float scale,
            FloatArray biases,
            int biasPlace,
            FloatArray from,
            FloatArray stream,
            int streamPlace,
            FloatArray to,
            int toPlace,
            IntArray places,
            int size,
            int outputs) {
        int lane = context.localIdx;
        int output = context.groupIdx * TILE + lane / TILE;
        int rows = pass.get(PassLayout.ROWS);
        int streamBase = places.get(streamPlace);
        int toBase = places.get(toPlace);
        for (int firstRow = 0; firstRow < rows; firstRow += TILE) {
            float total =
                    Tiles.ofRows(
                            context, weights, packed, scale, outputs, from, firstRow, size);
            int row = firstRow + lane % TILE;
            if (lane < Tiles.SUMS) {
                if (output < outputs) {
                    if (row < rows) {
                        float sum = total;
                        if (biasPlace >= 0) {
                            sum += biases.get(places.get(biasPlace) + output);
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
    /// @param places  [Places]
    /// @see "Shazeer 2020, GLU variants"
    public static void gateUp(
            KernelContext context,
            IntArray pass,
            FloatArray weights,
            IntArray packed,
            float scale,
            FloatArray biases,
            int biasPlace,
            FloatArray from,
            FloatArray to,
            IntArray places,
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
                        if (biasPlace >= 0) {
                            int bias = places.get(biasPlace) + 2 * number;
                            gate += biases.get(bias);
                            up += biases.get(bias + 1);
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

    /// Products of four rows of a matrix and four rows of numbers by one group: 16 sums in registers for 8 numbers read. Each is
    /// summed over lanes in a fixed order that does not depend on the number of rows.
    ///
    /// TornadoVM inlines methods of at most 600 nodes of its compiler's graph, what they call included. This one is near that.
    static final class Tiles {
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

    /// A matrix in one of the two forms that kernels read. They take it by three arguments: [#floats], [#packed] and
    /// [#scale].
    ///
    /// @param array the matrix, a [FloatArray], or an [IntArray] as [HalfMatrix] packs it
    /// @param scale of a packed matrix; 0 if it is not packed
    /// @param rows  its rows
    /// @param size  numbers of a row
    public record StoredMatrix(TornadoNativeArray array, float scale, int rows, int size) {
        /// Stores a matrix.
        ///
        /// @param what   what it holds, for errors
        /// @param filler writes its floats, `[rows, size]`
        /// @throws dev.outrider.spi.error.OutriderException `CHECKPOINT_UNSUPPORTED` if the format does not hold a number
        public static StoredMatrix of(
                WeightFormat format, String what, int rows, int size, Consumer<MemorySegment> filler) {
            return switch (format) {
                case F32 -> {
                    var floats = new FloatArray(Math.multiplyExact(rows, size));
                    filler.accept(floats.getSegment());
                    yield new StoredMatrix(floats, 0, rows, size);
                }
                case F16 -> {
                    var packed = new IntArray(Math.multiplyExact(rows, HalfMatrix.words(size)));
                    try (var arena = Arena.ofShared()) {
                        var floats = arena.allocate(ValueLayout.JAVA_FLOAT, (long) rows * size);
                        filler.accept(floats);
                        float scale = HalfMatrix.pack(what, floats, rows, size, packed.getSegment());
                        yield new StoredMatrix(packed, scale, rows, size);
                    }
                }
            };
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
            HalfMatrix.unpack(array.getSegment(), scale, rows, size, numbers);
            return numbers;
        }
    }
}
