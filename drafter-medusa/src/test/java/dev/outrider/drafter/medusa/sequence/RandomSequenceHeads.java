package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.TargetWeights;
import dev.outrider.drafting.head.HeadTensors.Matrix;
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
        return switch (kind) {
            case HYDRA ->
                    new HydraHeads(new Hydra(vocabulary, seed), GUESSES, Precision.F32, target);
            case RECURRENT ->
                    new RecurrentHead(
                            new Recurrent(vocabulary, seed, true), GUESSES, Precision.F32, target);
            case SUMMED ->
                    new RecurrentHead(
                            new Recurrent(vocabulary, seed, false), GUESSES, Precision.F32, target);
        };
    }

    private static Matrix matrix(long seed, int rows, int columns) {
        var random = new SplittableRandom(seed);
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

    private record Hydra(int vocabulary, long seed) implements HydraHeads.Weights {
        @Override
        public int hiddenSize() {
            return HIDDEN;
        }

        @Override
        public int heads() {
            return GUESSES;
        }

        @Override
        public int layers() {
            return 2;
        }

        @Override
        public Matrix block(int head, int layer) {
            return matrix(
                    seed + 10 * head + layer, HIDDEN, layer == 0 ? (head + 2) * HIDDEN : HIDDEN);
        }

        @Override
        public Matrix residual(int head) {
            return matrix(seed + 10 * head + 5, HIDDEN, (head + 2) * HIDDEN);
        }

        @Override
        public Optional<Matrix> projection(int head) {
            return Optional.of(matrix(seed + 10 * head + 6, vocabulary, HIDDEN));
        }
    }

    private record Recurrent(int vocabulary, long seed, boolean recurrent)
            implements RecurrentHead.Weights {
        @Override
        public int hiddenSize() {
            return HIDDEN;
        }

        @Override
        public int layers() {
            return 1;
        }

        @Override
        public Optional<Matrix> state() {
            return recurrent ? Optional.of(matrix(seed + 1, HIDDEN, HIDDEN)) : Optional.empty();
        }

        @Override
        public Optional<Matrix> token() {
            return recurrent ? Optional.of(matrix(seed + 2, HIDDEN, HIDDEN)) : Optional.empty();
        }

        @Override
        public Optional<Matrix> input() {
            return Optional.empty();
        }

        @Override
        public Matrix block(int layer) {
            return matrix(seed + 3, 2 * HIDDEN, 2 * HIDDEN);
        }

        @Override
        public Optional<Matrix> projection() {
            return Optional.of(matrix(seed + 4, vocabulary, 2 * HIDDEN));
        }
    }
}
