package dev.outrider.drafting.head;

import dev.outrider.nn.network.LinearWeights;
import dev.outrider.nn.network.Precision;
import java.util.Optional;
import java.util.SplittableRandom;

/// Random weights for heads.
public final class RandomHeads {
    private RandomHeads() {}

    /// Returns matrices that differ by their names.
    public static HeadMatrices matrices(long seed) {
        return new HeadMatrices(
                (name, rows, columns) -> matrix(seed, name, rows, columns), Precision.F32);
    }

    /// Returns the embeddings of a target that lends no head.
    public static TargetWeights embeddings(int vocabulary, int size, long seed) {
        return new Embeddings(numbers(new SplittableRandom(seed), vocabulary * size, 1), size);
    }

    static LinearWeights matrix(long seed, String name, int rows, int columns) {
        var random = new SplittableRandom(31 * seed + name.hashCode());
        return new LinearWeights(
                "test",
                numbers(random, rows * columns, 0.7),
                rows,
                columns,
                Optional.of(numbers(random, rows, 0.5)));
    }

    private static float[] numbers(SplittableRandom random, int count, double deviation) {
        var numbers = new float[count];
        for (int index = 0; index < count; index++) {
            numbers[index] = (float) (random.nextGaussian() * deviation);
        }
        return numbers;
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Embeddings(float[] table, int size) implements TargetWeights {
        @Override
        public float[] embeddings(int[] tokens) {
            var rows = new float[tokens.length * size];
            for (int row = 0; row < tokens.length; row++) {
                System.arraycopy(table, tokens[row] * size, rows, row * size, size);
            }
            return rows;
        }

        @Override
        public void head(float[] states, int rows, float[] logits) {
            throw new IllegalStateException("the heads have a projection of their own");
        }
    }
}
