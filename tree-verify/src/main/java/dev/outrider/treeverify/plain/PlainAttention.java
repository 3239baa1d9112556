package dev.outrider.treeverify.plain;

import dev.outrider.treeverify.pass.PassLayout;
import java.util.Arrays;
import java.util.stream.IntStream;

/// Twin of tree attention: softmax over the list of cache rows a row sees, in two passes.
public final class PlainAttention {
    private PlainAttention() {}

    /// Attention of every row's heads. Arguments as those of the kernel.
    public static void attend(
            int[] pass,
            long[] masks,
            float[] queries,
            float[] keys,
            float[] values,
            float[] to,
            int layerBase,
            int heads,
            int keyHeads,
            int headSize,
            int window,
            float scale,
            int maxRows,
            int words) {
        for (int row = 0; row < pass[PassLayout.ROWS]; row++) {
            int[] all = seen(pass, masks, row, maxRows, words);
            int[] seen =
                    window > 0 && all.length > window
                            ? Arrays.copyOfRange(all, all.length - window, all.length)
                            : all;
            for (int head = 0; head < heads; head++) {
                int column = layerBase + head / (heads / keyHeads) * headSize;
                int query = (row * heads + head) * headSize;
                double[] shares =
                        shares(
                                queries,
                                query,
                                keys,
                                seen,
                                column,
                                keyHeads * headSize,
                                headSize,
                                scale);
                for (int d = 0; d < headSize; d++) {
                    double sum = 0;
                    for (int index = 0; index < seen.length; index++) {
                        sum +=
                                shares[index]
                                        * values[seen[index] * keyHeads * headSize + column + d];
                    }
                    to[query + d] = (float) sum;
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

    private static double[] shares(
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
        double greatest = Arrays.stream(scores).max().orElse(0);
        double[] powers = Arrays.stream(scores).map(score -> Math.exp(score - greatest)).toArray();
        double total = Arrays.stream(powers).sum();
        return Arrays.stream(powers).map(power -> power / total).toArray();
    }
}
