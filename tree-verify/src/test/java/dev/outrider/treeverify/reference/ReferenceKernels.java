package dev.outrider.treeverify.reference;

import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// Plain loops that compute the same results as the device's kernels.
public final class ReferenceKernels {
    private ReferenceKernels() {}

    /// Reference implementations of the kernels that work on rows: embedding, norms, moves of cache rows. The arguments are those
    /// of the kernels.
    public static final class ReferenceRows {
        private ReferenceRows() {}

        /// Copies the tokens' embeddings.
        public static void embed(
                int[] pass, float[] embedding, float[] stream, int size, int maxRows) {
            for (int row = 0; row < pass[PassLayout.ROWS]; row++) {
                int token = pass[PassLayout.index(PassLayout.TOKEN, maxRows, row)];
                System.arraycopy(embedding, token * size, stream, row * size, size);
            }
        }

        /// Computes RMS norm.
        public static void rmsNorm(
                int[] pass,
                float[] from,
                int fromBase,
                float[] weights,
                int weightBase,
                float[] to,
                int size,
                float epsilon) {
            for (int row = 0; row < pass[PassLayout.ROWS]; row++) {
                int start = fromBase + row * size;
                double scale = scale(from, start, size, epsilon);
                for (int i = 0; i < size; i++) {
                    to[row * size + i] =
                            (float) (from[start + i] * scale * weights[weightBase + i]);
                }
            }
        }

        /// Writes the rows of a folded norm: multiplied by its weights, and sums of squares of blocks behind all rows.
        public static void fold(
                int[] pass,
                float[] from,
                int fromBase,
                float[] weights,
                int weightBase,
                float[] to,
                int size,
                int maxRows) {
            int blocks = Math.ceilDiv(size, 8);
            for (int row = 0; row < pass[PassLayout.ROWS]; row++) {
                var squares = new double[blocks];
                for (int i = 0; i < size; i++) {
                    float number = from[fromBase + row * size + i];
                    to[row * size + i] = number * weights[weightBase + i];
                    squares[i / 8] += (double) number * number;
                }
                for (int block = 0; block < blocks; block++) {
                    to[maxRows * size + row * blocks + block] = (float) squares[block];
                }
            }
        }

        /// Norms and rotates query and key heads.
        public static void normAndRotate(
                int[] pass,
                float[] weights,
                int weightBase,
                float[] cosines,
                float[] sines,
                float[] queries,
                float[] keys,
                int layerBase,
                int heads,
                int keyHeads,
                int headSize,
                float epsilon,
                int maxRows) {
            for (int row = 0; row < pass[PassLayout.ROWS]; row++) {
                int table =
                        pass[PassLayout.index(PassLayout.POSITION, maxRows, row)] * headSize / 2;
                int slot = pass[PassLayout.index(PassLayout.SLOT, maxRows, row)];
                for (int head = 0; head < heads + keyHeads; head++) {
                    boolean query = head < heads;
                    int start =
                            query
                                    ? (row * heads + head) * headSize
                                    : layerBase + (slot * keyHeads + head - heads) * headSize;
                    normAndRotate(
                            query ? queries : keys,
                            start,
                            weights,
                            query ? weightBase : weightBase + headSize,
                            cosines,
                            sines,
                            table,
                            headSize,
                            epsilon);
                }
            }
        }

        /// Moves cache rows, one after the other.
        public static void compact(
                int[] pass,
                float[] keys,
                float[] values,
                int columns,
                int width,
                int rows,
                int maxRows,
                int maxMoves) {
            int sources = PassLayout.index(PassLayout.SECTIONS, maxRows, 0);
            for (int move = 0; move < pass[PassLayout.MOVES]; move++) {
                for (int layer = 0; layer < columns / width; layer++) {
                    int source = (layer * rows + pass[sources + move]) * width;
                    int destination = (layer * rows + pass[sources + maxMoves + move]) * width;
                    System.arraycopy(keys, source, keys, destination, width);
                    System.arraycopy(values, source, values, destination, width);
                }
            }
        }

        private static void normAndRotate(
                float[] numbers,
                int start,
                float[] weights,
                int weightBase,
                float[] cosines,
                float[] sines,
                int table,
                int size,
                float epsilon) {
            int half = size / 2;
            double scale = scale(numbers, start, size, epsilon);
            for (int i = 0; i < half; i++) {
                double first = numbers[start + i] * scale * weights[weightBase + i];
                double second = numbers[start + half + i] * scale * weights[weightBase + half + i];
                double cosine = cosines[table + i];
                double sine = sines[table + i];
                numbers[start + i] = (float) (first * cosine - second * sine);
                numbers[start + half + i] = (float) (second * cosine + first * sine);
            }
        }

        private static double scale(float[] numbers, int start, int size, float epsilon) {
            double squares = 0;
            for (int i = start; i < start + size; i++) {
                squares += (double) numbers[i] * numbers[i];
            }
            return 1 / Math.sqrt(squares / size + epsilon);
        }
    }

    /// Reference implementations of the projections. The arguments are those of the kernels with the same names.
    public static final class ReferenceProjections {
        private ReferenceProjections() {}

        /// Computes queries, keys and values, rotates them, and appends keys and values to the cache.
        public static void queryKeyValue(
                int[] pass,
                float[] weights,
                float[] biases,
                int biasBase,
                float[] from,
                float[] cosines,
                float[] sines,
                float[] queries,
                float[] keys,
                float[] values,
                int layerBase,
                int size,
                int heads,
                int keyHeads,
                int headSize,
                int rotate,
                int maxRows) {
            int half = headSize / 2;
            for (int row = 0; row < pass[PassLayout.ROWS]; row++) {
                int position = pass[PassLayout.index(PassLayout.POSITION, maxRows, row)];
                int slot = pass[PassLayout.index(PassLayout.SLOT, maxRows, row)];
                int cacheRow = layerBase + slot * keyHeads * headSize;
                for (int head = 0; head < heads + 2 * keyHeads; head++) {
                    boolean rotated = rotate == 1 && head < heads + keyHeads;
                    for (int number = 0; number < half; number++) {
                        int output = head * headSize + 2 * number;
                        double first = output(weights, output, from, row, size, biases, biasBase);
                        double second =
                                output(weights, output + 1, from, row, size, biases, biasBase);
                        double cosine = rotated ? cosines[position * half + number] : 1;
                        double sine = rotated ? sines[position * half + number] : 0;
                        float rotatedFirst = (float) (first * cosine - second * sine);
                        float rotatedSecond = (float) (second * cosine + first * sine);
                        if (head < heads) {
                            int place = (row * heads + head) * headSize + number;
                            queries[place] = rotatedFirst;
                            queries[place + half] = rotatedSecond;
                        } else {
                            var cache = head < heads + keyHeads ? keys : values;
                            int place = cacheRow + (head - heads) % keyHeads * headSize + number;
                            cache[place] = rotatedFirst;
                            cache[place + half] = rotatedSecond;
                        }
                    }
                }
            }
        }

        /// Computes a projection and adds it to the residual stream.
        public static void residual(
                int[] pass,
                float[] weights,
                float[] biases,
                int biasBase,
                float[] from,
                float[] stream,
                int streamBase,
                float[] to,
                int toBase,
                int size,
                int outputs) {
            for (int row = 0; row < pass[PassLayout.ROWS]; row++) {
                for (int output = 0; output < outputs; output++) {
                    int place = row * outputs + output;
                    to[toBase + place] =
                            (float)
                                    (stream[streamBase + place]
                                            + output(
                                                    weights, output, from, row, size, biases,
                                                    biasBase));
                }
            }
        }

        /// Computes gate and up.
        public static void gateUp(
                int[] pass,
                float[] weights,
                float[] biases,
                int biasBase,
                float[] from,
                float[] to,
                int size,
                int inner) {
            for (int row = 0; row < pass[PassLayout.ROWS]; row++) {
                for (int number = 0; number < inner; number++) {
                    double gate = output(weights, 2 * number, from, row, size, biases, biasBase);
                    double up = output(weights, 2 * number + 1, from, row, size, biases, biasBase);
                    to[row * inner + number] = (float) (gate / (1 + Math.exp(-gate)) * up);
                }
            }
        }

        /// Computes the logits of the rows that get them.
        public static void head(
                int[] pass,
                float[] weights,
                float[] from,
                float[] logits,
                int size,
                int vocabulary,
                int maxRows) {
            for (int index = 0; index < pass[PassLayout.LOGIT_ROWS]; index++) {
                int row = pass[PassLayout.index(PassLayout.LOGIT_ROW, maxRows, index)];
                for (int token = 0; token < vocabulary; token++) {
                    logits[index * vocabulary + token] =
                            (float) output(weights, token, from, row, size, logits, -1);
                }
            }
        }

        private static double output(
                float[] weights,
                int output,
                float[] from,
                int row,
                int size,
                float[] biases,
                int biasBase) {
            double sum = biasBase < 0 ? 0 : biases[biasBase + output];
            for (int i = 0; i < size; i++) {
                sum += (double) weights[output * size + i] * from[row * size + i];
            }
            return sum;
        }
    }

    /// Reference implementations of the kernels of a draft layer's input.
    public static final class ReferenceFeatures {
        private ReferenceFeatures() {}

        /// Copies reduced features for the first rows, and given ones for the others.
        public static void choose(
                int rows, int captured, float[] features, float[] reduced, float[] to, int size) {
            for (int row = 0; row < rows; row++) {
                var from = row < captured ? reduced : features;
                System.arraycopy(from, row * size, to, row * size, size);
            }
        }

        /// Puts halves beside each other.
        ///
        /// @param masked the half that is zero in the row at position 0, which is the first row; 0 for none
        public static void joinHalves(
                int rows, float[] first, float[] second, float[] to, int size, int masked) {
            for (int row = 0; row < rows; row++) {
                System.arraycopy(first, row * size, to, 2 * row * size, size);
                System.arraycopy(second, row * size, to, (2 * row + 1) * size, size);
            }
            if (masked > 0) {
                Arrays.fill(to, (masked - 1) * size, masked * size, 0);
            }
        }
    }

    /// Reference implementation of tree attention: softmax over the list of cache rows that a row sees, chunk by chunk, in two
    /// passes.
    public static final class ReferenceAttention {
        private ReferenceAttention() {}

        /// Computes attention of every row's heads. The arguments are those of the kernel, but for the sinks.
        ///
        /// @param sinks of the heads; empty without sinks
        public static void attend(
                int[] pass,
                long[] masks,
                float[] queries,
                float[] keys,
                float[] values,
                float[] to,
                float[] results,
                float[] sinks,
                int layerBase,
                int heads,
                int keyHeads,
                int headSize,
                int window,
                float scale,
                int maxRows,
                int words,
                int chunk,
                int chunks) {
            int width = keyHeads * headSize;
            for (int row = 0; row < pass[PassLayout.ROWS]; row++) {
                int[] all = seen(pass, masks, row, maxRows, words);
                int first = window > 0 ? Math.max(0, all.length - window) : 0;
                boolean finished = all.length - first <= chunk;
                for (int from = first; from < all.length; from += chunk) {
                    int[] seen = Arrays.copyOfRange(all, from, Math.min(all.length, from + chunk));
                    for (int head = 0; head < heads; head++) {
                        int column = layerBase + head / (heads / keyHeads) * headSize;
                        int place = row * heads + head;
                        int query = place * headSize;
                        double[] scores =
                                scores(queries, query, keys, seen, column, width, headSize, scale);
                        double greatest = Arrays.stream(scores).max().orElseThrow();
                        boolean sunk = sinks.length > 0 && from == first;
                        greatest = sunk ? Math.max(greatest, sinks[head]) : greatest;
                        double[] powers = powers(scores, greatest);
                        double total = DoubleStream.of(powers).sum();
                        total += sunk ? Math.exp(sinks[head] - greatest) : 0;
                        int result = (place * chunks + (from - first) / chunk) * (headSize + 2);
                        for (int d = 0; d < headSize; d++) {
                            double sum = 0;
                            for (int index = 0; index < seen.length; index++) {
                                sum += powers[index] * values[seen[index] * width + column + d];
                            }
                            if (finished) {
                                to[query + d] = (float) (sum / total);
                            } else {
                                results[result + d] = (float) (sum / total);
                            }
                        }
                        if (!finished) {
                            results[result + headSize] = (float) greatest;
                            results[result + headSize + 1] = (float) total;
                        }
                    }
                }
            }
        }

        /// Joins the chunks of rows with several chunks. The arguments are those of the kernel.
        public static void reduce(
                int[] pass,
                float[] results,
                float[] to,
                int heads,
                int headSize,
                int window,
                int maxRows,
                int chunk,
                int chunks) {
            int size = headSize + 2;
            for (int row = 0; row < pass[PassLayout.ROWS]; row++) {
                int count = pass[PassLayout.index(PassLayout.KEYS, maxRows, row)];
                int used = Math.ceilDiv(window > 0 ? Math.min(count, window) : count, chunk);
                for (int place = row * heads; place < (row + 1) * heads && used > 1; place++) {
                    int first = place * chunks * size;
                    double[] scores =
                            IntStream.range(0, used)
                                    .mapToDouble(
                                            number -> results[first + number * size + headSize])
                                    .toArray();
                    double[] shares = powers(scores, Arrays.stream(scores).max().orElseThrow());
                    for (int number = 0; number < used; number++) {
                        shares[number] *= results[first + number * size + headSize + 1];
                    }
                    double total = DoubleStream.of(shares).sum();
                    for (int d = 0; d < headSize; d++) {
                        double sum = 0;
                        for (int number = 0; number < used; number++) {
                            sum += shares[number] * results[first + number * size + d];
                        }
                        to[place * headSize + d] = (float) (sum / total);
                    }
                }
            }
        }

        /// Returns the cache rows that a row sees, in order.
        private static int[] seen(int[] pass, long[] masks, int row, int maxRows, int words) {
            int base = pass[PassLayout.index(PassLayout.BASE, maxRows, row)];
            int prefix = pass[PassLayout.index(PassLayout.PREFIX, maxRows, row)];
            int bits = pass[PassLayout.index(PassLayout.BITS, maxRows, row)];
            var ancestors =
                    IntStream.range(0, bits)
                            .filter(bit -> (masks[row * words + bit / 64] >>> bit % 64 & 1) == 1)
                            .map(bit -> prefix + bit);
            return IntStream.concat(IntStream.range(0, prefix), ancestors)
                    .map(place -> base + place)
                    .toArray();
        }

        private static double[] scores(
                float[] queries,
                int query,
                float[] keys,
                int[] seen,
                int column,
                int width,
                int headSize,
                float scale) {
            var scores = new double[seen.length];
            for (int index = 0; index < scores.length; index++) {
                for (int d = 0; d < headSize; d++) {
                    scores[index] +=
                            (double) queries[query + d] * keys[seen[index] * width + column + d];
                }
                scores[index] *= scale;
            }
            return scores;
        }

        private static double[] powers(double[] scores, double greatest) {
            return Arrays.stream(scores).map(score -> Math.exp(score - greatest)).toArray();
        }
    }
}
