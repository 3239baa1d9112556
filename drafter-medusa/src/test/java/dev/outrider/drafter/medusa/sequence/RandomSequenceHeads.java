package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.HeadTensors.Matrix;
import dev.outrider.drafting.head.SequenceHeads;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.network.Precision;
import java.util.Optional;
import java.util.SplittableRandom;

/// Heads of two numbers a state with random weights, which borrow nothing but embeddings.
final class RandomSequenceHeads {
    static final int HIDDEN = 2;
    static final int GUESSES = 3;

    private RandomSequenceHeads() {}

    /// Kinds of heads.
    enum Kind {
        HYDRA,
        RECURRENT,
        SUMMED
    }

    static SequenceHeads of(Kind kind, int vocabulary, long seed) {
        var random = new SplittableRandom(seed);
        var target = new Embeddings(numbers(random, vocabulary * HIDDEN, 1));
        HeadMatrices.Source source = (name, rows, columns) -> matrix(seed, name, rows, columns);
        var matrices = new HeadMatrices(source, Precision.F32);
        return switch (kind) {
            case HYDRA ->
                    new HydraHeads(
                            new HydraHeads.Sizes(HIDDEN, vocabulary, GUESSES, 2, true),
                            GUESSES,
                            matrices,
                            target);
            case RECURRENT, SUMMED ->
                    new RecurrentHead(
                            new RecurrentHead.Sizes(
                                    HIDDEN,
                                    vocabulary,
                                    2 * HIDDEN,
                                    1,
                                    kind == Kind.RECURRENT,
                                    true),
                            GUESSES,
                            matrices,
                            target);
        };
    }

    private static Matrix matrix(long seed, String name, int rows, int columns) {
        var random = new SplittableRandom(31 * seed + name.hashCode());
        return new Matrix(
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
    private record Embeddings(float[] table) implements TargetWeights {
        @Override
        public float[] embeddings(int[] tokens) {
            var rows = new float[tokens.length * HIDDEN];
            for (int row = 0; row < tokens.length; row++) {
                System.arraycopy(table, tokens[row] * HIDDEN, rows, row * HIDDEN, HIDDEN);
            }
            return rows;
        }

        @Override
        public void head(float[] states, int rows, float[] logits) {
            throw new IllegalStateException("the heads have a projection of their own");
        }
    }
}
