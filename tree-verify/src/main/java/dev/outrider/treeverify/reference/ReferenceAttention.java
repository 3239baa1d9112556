package dev.outrider.treeverify.reference;

import dev.outrider.treeverify.pass.PassLayout;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// Twin of tree attention: softmax over the list of cache rows a row sees, chunk by chunk, in two passes.
public final class ReferenceAttention {
    private ReferenceAttention() {}

    /// Attention of every row's heads. Arguments as those of the kernel.
    public static void attend(
            int[] pass,
            long[] masks,
            float[] queries,
            float[] keys,
            float[] values,
            float[] to,
            float[] results,
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
                    double[] powers = powers(scores, greatest);
                    double total = DoubleStream.of(powers).sum();
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

    /// Puts the chunks of rows with several together. Arguments as those of the kernel.
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
                                .mapToDouble(number -> results[first + number * size + headSize])
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

    /// Cache rows that a row sees, in order.
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
