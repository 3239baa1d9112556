package dev.outrider.treeverify.reference;

import dev.outrider.treeverify.pass.PassLayout;

/// Twins of the kernels that work on rows: embedding, norms, moves of cache rows. Arguments as those of the kernels.
public final class ReferenceRows {
    private ReferenceRows() {}

    /// The tokens' embeddings.
    public static void embed(int[] pass, float[] embedding, float[] stream, int size, int maxRows) {
        for (int row = 0; row < pass[PassLayout.ROWS]; row++) {
            int token = pass[PassLayout.index(PassLayout.TOKEN, maxRows, row)];
            System.arraycopy(embedding, token * size, stream, row * size, size);
        }
    }

    /// RMS norm.
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
                to[row * size + i] = (float) (from[start + i] * scale * weights[weightBase + i]);
            }
        }
    }

    /// Norm and rotation of query and key heads.
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
            int table = pass[PassLayout.index(PassLayout.POSITION, maxRows, row)] * headSize / 2;
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

    /// Moves of cache rows, one after the other.
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
