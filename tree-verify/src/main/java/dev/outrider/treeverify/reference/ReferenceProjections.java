package dev.outrider.treeverify.reference;

import dev.outrider.treeverify.pass.PassLayout;

/// Twins of the projections. Arguments as those of the kernels of the same names.
public final class ReferenceProjections {
    private ReferenceProjections() {}

    /// Queries, keys and values, rotated and appended to the cache.
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
                    double second = output(weights, output + 1, from, row, size, biases, biasBase);
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

    /// A projection added to the residual stream.
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

    /// Gate and up.
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

    /// Logits of the rows that get them.
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
