package dev.outrider.drafter.medusa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import dev.outrider.drafter.medusa.MedusaTraining.TrainedMedusa;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import dev.outrider.training.Divergence;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.head.TokenHeads;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Compares the loss and the accuracies with plain loops, in double precision.
class MedusaProgramTest {
    private static final int ROWS = 2;
    private static final int WIDTH = 7;
    private static final int HIDDEN = 4;
    private static final int VOCABULARY = 5;
    private static final int HEADS = 3;

    private final SplittableRandom random = new SplittableRandom(6);

    @ParameterizedTest
    @CsvSource({"OWN, TEXT, 1", "OWN, TARGET, 2", "TARGET, TEXT, 2", "TARGET, TARGET, 1"})
    void lossAndAccuraciesEqualPlainLoops(
            TokenHeads.Projection projection, TokenHeads.Labels labels, int layers) {
        var plan =
                new TokenHeads.Plan(HEADS, layers, projection, labels, 0.7, Divergence.FORWARD_KL);
        var parameters = new ArrayList<double[]>();
        var shapes = new ArrayList<Shape>();
        for (int head = 0; head < HEADS; head++) {
            for (int layer = 0; layer < layers; layer++) {
                parameters.add(values(HIDDEN * HIDDEN));
                shapes.add(new Shape(HIDDEN, HIDDEN));
                parameters.add(values(HIDDEN));
                shapes.add(new Shape(HIDDEN));
            }
            if (projection == TokenHeads.Projection.OWN) {
                parameters.add(values(VOCABULARY * HIDDEN));
                shapes.add(new Shape(VOCABULARY, HIDDEN));
            }
        }
        double[] shared = values(VOCABULARY * HIDDEN);
        double[] hidden = values(ROWS * WIDTH * HIDDEN);
        double[] teacher = values(ROWS * WIDTH * VOCABULARY);
        long[] tokens = random.longs(ROWS * WIDTH, 0, VOCABULARY).toArray();
        long[] mask = random.longs(ROWS * WIDTH, 0, 2).toArray();

        TensorThread.enterInference();
        try (var manager = TensorRuntime.newManager();
                var script =
                        TorchScript.compile(
                                TokenHeads.program(
                                        plan,
                                        TrainedMedusa.heads(plan),
                                        TrainingConfig.Precision.FLOAT32))) {
            var arrays = new ArrayList<NDArray>();
            for (int i = 0; i < parameters.size(); i++) {
                arrays.add(manager.create(parameters.get(i), shapes.get(i)));
            }
            var inputs =
                    List.of(
                            manager.create(hidden, new Shape(ROWS, WIDTH, HIDDEN)),
                            manager.create(tokens, new Shape(ROWS, WIDTH)),
                            manager.create(teacher, new Shape(ROWS * WIDTH, VOCABULARY)),
                            manager.create(mask, new Shape(ROWS, WIDTH)));
            try (var p = TorchValue.ofArrays(arrays);
                    var x = TorchValue.ofArrays(inputs);
                    var c =
                            TorchValue.ofArrays(
                                    List.of(
                                            manager.create(
                                                    shared, new Shape(VOCABULARY, HIDDEN))));
                    var found = script.callRecording("measures", p, x, c)) {
                var measures = found.toArrays(manager);
                var heads = new ArrayList<Expected>();
                for (int head = 0; head < HEADS; head++) {
                    heads.add(
                            expected(
                                    plan, parameters, shared, hidden, tokens, teacher, mask, head));
                }
                assertThat(measures.getFirst().getDouble()).isCloseTo(loss(heads), within(1e-9));
                for (int head = 0; head < HEADS; head++) {
                    assertThat((double) measures.get(head + 1).getFloat())
                            .isCloseTo(heads.get(head).accuracy(), within(1e-6));
                    if (labels == TokenHeads.Labels.TARGET) {
                        assertThat((double) measures.get(HEADS + head + 1).getFloat())
                                .isCloseTo(heads.get(head).agreement(), within(1e-6));
                        assertThat((double) measures.get(2 * HEADS + head + 1).getFloat())
                                .isCloseTo(heads.get(head).acceptance(), within(1e-6));
                    }
                }
            }
        }
    }

    /// The loss of a head, and its measured numbers.
    private record Expected(double entropy, double accuracy, double agreement, double acceptance) {}

    private static double loss(List<Expected> heads) {
        double sum = 0;
        double weights = 0;
        for (int head = 0; head < HEADS; head++) {
            sum += Math.pow(0.7, head) * heads.get(head).entropy();
            weights += Math.pow(0.7, head);
        }
        return sum / weights;
    }

    private static Expected expected(
            TokenHeads.Plan plan,
            List<double[]> parameters,
            double[] shared,
            double[] hidden,
            long[] tokens,
            double[] teacher,
            long[] mask,
            int head) {
        double entropy = 0;
        int right = 0;
        int same = 0;
        double overlap = 0;
        int places = 0;
        boolean own = plan.projection() == TokenHeads.Projection.OWN;
        int first = head * (2 * plan.layers() + (own ? 1 : 0));
        for (int row = 0; row < ROWS; row++) {
            for (int t = 0; t + head + 2 < WIDTH; t++) {
                if (mask[row * WIDTH + t + head + 2] == 0) {
                    continue;
                }
                var x = slice(hidden, (row * WIDTH + t) * HIDDEN, HIDDEN);
                for (int layer = 0; layer < plan.layers(); layer++) {
                    var y = product(parameters.get(first + 2 * layer), x);
                    for (int i = 0; i < HIDDEN; i++) {
                        double value = y[i] + parameters.get(first + 2 * layer + 1)[i];
                        x[i] += value / (1 + Math.exp(-value));
                    }
                }
                var matrix =
                        plan.projection() == TokenHeads.Projection.OWN
                                ? parameters.get(first + 2 * plan.layers())
                                : shared;
                var distribution = softmax(product(matrix, x));
                int label = (int) tokens[row * WIDTH + t + head + 2];
                var wanted =
                        softmax(
                                slice(
                                        teacher,
                                        (row * WIDTH + t + head + 1) * VOCABULARY,
                                        VOCABULARY));
                int best = 0;
                int wantedBest = 0;
                for (int v = 0; v < VOCABULARY; v++) {
                    best = distribution[v] > distribution[best] ? v : best;
                    wantedBest = wanted[v] > wanted[wantedBest] ? v : wantedBest;
                    overlap += Math.min(distribution[v], wanted[v]);
                    double weight =
                            switch (plan.labels()) {
                                case TEXT -> v == label ? 1 : 0;
                                case TARGET -> wanted[v];
                            };
                    entropy -= weight * Math.log(distribution[v]);
                }
                right += best == label ? 1 : 0;
                same += best == wantedBest ? 1 : 0;
                places++;
            }
        }
        return new Expected(
                entropy / places,
                (double) right / places,
                (double) same / places,
                overlap / places);
    }

    private static double[] slice(double[] values, int from, int size) {
        var slice = new double[size];
        System.arraycopy(values, from, slice, 0, size);
        return slice;
    }

    private static double[] product(double[] matrix, double[] x) {
        var y = new double[matrix.length / x.length];
        for (int row = 0; row < y.length; row++) {
            for (int column = 0; column < x.length; column++) {
                y[row] += matrix[row * x.length + column] * x[column];
            }
        }
        return y;
    }

    private static double[] softmax(double[] logits) {
        var distribution = new double[logits.length];
        double sum = 0;
        for (int i = 0; i < distribution.length; i++) {
            distribution[i] = Math.exp(logits[i]);
            sum += distribution[i];
        }
        for (int i = 0; i < distribution.length; i++) {
            distribution[i] /= sum;
        }
        return distribution;
    }

    private double[] values(int count) {
        return random.doubles(count, -1.5, 1.5).toArray();
    }
}
