package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Compares divergences on doubles with plain loops, and gradients with difference quotients.
class DivergenceTest {
    private static final int ROWS = 5;
    private static final int TOKENS = 7;

    private final PtNDManager manager = TensorRuntime.newManager();
    private final SplittableRandom random = new SplittableRandom(3);

    @AfterEach
    void close() {
        TensorThread.enterInference();
        manager.close();
    }

    @ParameterizedTest
    @EnumSource
    void valueAndGradientAreThoseOfPlainLoops(Divergence divergence) {
        for (double spread : new double[] {0.5, 4, 30}) {
            var student = random.doubles((long) ROWS * TOKENS, -spread, spread).toArray();
            var teacher = random.doubles((long) ROWS * TOKENS, -spread, spread).toArray();
            assertThat(value(divergence, student, teacher))
                    .isCloseTo(plain(divergence, student, teacher), within(1e-9));
            var gradient = gradient(divergence, student, teacher);
            for (int at = 0; at < student.length; at++) {
                double step = 1e-5;
                double up = plain(divergence, moved(student, at, step), teacher);
                double down = plain(divergence, moved(student, at, -step), teacher);
                assertThat(gradient[at])
                        .as("spread %s, logit %d", spread, at)
                        .isCloseTo((up - down) / (2 * step), within(1e-6));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStudentLikeItsTeacherHasNothingToLearn(Divergence divergence) {
        var logits = random.doubles((long) ROWS * TOKENS, -3, 3).toArray();
        double least = divergence == Divergence.FORWARD_KL ? entropy(logits) : 0;
        assertThat(value(divergence, logits, logits)).isCloseTo(least, within(1e-12));
        assertThat(gradient(divergence, logits, logits))
                .containsExactly(new double[ROWS * TOKENS], within(1e-12));
    }

    @Test
    void totalVariationIsTheProbabilityOfARejection() {
        var student = random.doubles((long) ROWS * TOKENS, -3, 3).toArray();
        var teacher = random.doubles((long) ROWS * TOKENS, -3, 3).toArray();
        double accepted = 0;
        for (int row = 0; row < ROWS; row++) {
            var p = softmax(teacher, row);
            var q = softmax(student, row);
            accepted +=
                    IntStream.range(0, TOKENS).mapToDouble(i -> Math.min(p[i], q[i])).sum() / ROWS;
        }
        assertThat(value(Divergence.TOTAL_VARIATION, student, teacher))
                .isCloseTo(1 - accepted, within(1e-12));
    }

    private static double plain(Divergence divergence, double[] student, double[] teacher) {
        double sum = 0;
        for (int row = 0; row < ROWS; row++) {
            var p = softmax(teacher, row);
            var q = softmax(student, row);
            for (int i = 0; i < TOKENS; i++) {
                double m = (p[i] + q[i]) / 2;
                sum +=
                        switch (divergence) {
                            case FORWARD_KL -> -p[i] * Math.log(q[i]);
                            case REVERSE_KL -> q[i] * Math.log(q[i] / p[i]);
                            case JENSEN_SHANNON ->
                                    (p[i] * Math.log(p[i] / m) + q[i] * Math.log(q[i] / m)) / 2;
                            case TOTAL_VARIATION -> Math.abs(p[i] - q[i]) / 2;
                        };
            }
        }
        return sum / ROWS;
    }

    private static double entropy(double[] logits) {
        return plain(Divergence.FORWARD_KL, logits, logits);
    }

    private static double[] softmax(double[] logits, int row) {
        var some = IntStream.range(0, TOKENS).mapToDouble(i -> logits[row * TOKENS + i]).toArray();
        double sum = 0;
        for (int i = 0; i < TOKENS; i++) {
            some[i] = Math.exp(some[i]);
            sum += some[i];
        }
        for (int i = 0; i < TOKENS; i++) {
            some[i] /= sum;
        }
        return some;
    }

    private static double[] moved(double[] values, int at, double by) {
        var moved = values.clone();
        moved[at] += by;
        return moved;
    }

    private double value(Divergence divergence, double[] student, double[] teacher) {
        return call(divergence, "value", student, teacher)[0];
    }

    private double[] gradient(Divergence divergence, double[] student, double[] teacher) {
        return call(divergence, "gradient", student, teacher);
    }

    private double[] call(
            Divergence divergence, String method, double[] student, double[] teacher) {
        TensorThread.enterTraining();
        var shape = new Shape(ROWS, TOKENS);
        var logits = manager.create(student, shape);
        logits.setRequiresGradient(true);
        try (var script = TorchScript.compile(TrainingScripts.softLoss(divergence) + METHODS);
                var z = TorchValue.of(logits);
                var y = TorchValue.of(manager.create(teacher, shape))) {
            TensorThread.enterTraining();
            try (var result = script.callRecording(method, z, y)) {
                return result.toArray(manager).toDoubleArray();
            }
        }
    }

    private static final String METHODS =
            """
              def value(self: __torch__.M, z: Tensor, teacher: Tensor) -> Tensor:
                return torch.detach(torch.view(self.soft_loss(z, teacher), [1]))
              def gradient(self: __torch__.M, z: Tensor, teacher: Tensor) -> Tensor:
                found = torch.grad([self.soft_loss(z, teacher)], [z])
                return unchecked_cast(Tensor, found[0])
            """;
}
