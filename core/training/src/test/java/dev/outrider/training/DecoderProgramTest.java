package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import dev.outrider.training.DecoderShape.DecoderParameters;
import dev.outrider.training.DecoderShape.MixtureShape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The program runs on doubles here, so that differences come from errors in the mathematics and not from rounding.
class DecoderProgramTest {
    private static final int ROWS = 2;
    private static final int CONTEXT = 6;

    private final PtNDManager manager = TensorRuntime.newManager();
    private final SplittableRandom random = new SplittableRandom(11);

    /// Programs by their source: compiling takes longer than all other steps here.
    private final Map<String, TorchScript> scripts = new HashMap<>();

    @AfterEach
    void close() {
        TensorThread.enterInference();
        scripts.values().forEach(TorchScript::close);
        manager.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void logitsEqualThoseOfPlainLoops(boolean tied) {
        var shape = shape(tied);
        var values = randomValues(shape);
        var tokens = randomTokens(shape);
        try (var program = new Program(shape, values, Optional.empty())) {
            var logits = program.logits(tokens);
            for (int row = 0; row < ROWS; row++) {
                int first = row * CONTEXT;
                var sequence =
                        IntStream.range(first, first + CONTEXT).map(i -> (int) tokens[i]).toArray();
                var expected = new ReferenceDecoder(shape, values).logits(sequence);
                for (int t = 0; t < CONTEXT; t++) {
                    for (int v = 0; v < shape.vocabularySize(); v++) {
                        assertThat(logits[(first + t) * shape.vocabularySize() + v])
                                .isCloseTo(expected[t][v], within(1e-5));
                    }
                }
            }
        }
    }

    @Test
    void gradientsEqualFiniteDifferencesOfTheLoss() {
        checkGradients(shape(true), Optional.empty());
    }

    @ParameterizedTest
    @EnumSource
    void soDoThoseOfWhatIsLearnedFromATeacher(Divergence divergence) {
        checkGradients(shape(true), taught(divergence, 0.7));
        checkGradients(shape(true), taught(divergence, 1));
    }

    private static Optional<TrainingConfig.Distillation> taught(
            Divergence divergence, double weight) {
        return Optional.of(new TrainingConfig.Distillation(Path.of("teacher"), weight, divergence));
    }

    @Test
    void soDoThoseOfExpertsAndOfTheirBalance() {
        var mixture = Optional.of(new MixtureShape(3, 2, 5, 0.4));
        checkGradients(
                new DecoderShape(11, 8, 2, 4, 2, 4, 12, 16, 10_000, 1e-5, true, mixture),
                Optional.empty());
    }

    private void checkGradients(
            DecoderShape shape, Optional<TrainingConfig.Distillation> teaching) {
        var values = randomValues(shape);
        var tokens = randomTokens(shape);
        var labels = randomTokens(shape);
        List<double[]> soft =
                teaching.isEmpty()
                        ? List.of()
                        : List.of(
                                random.doubles(
                                                (long) ROWS * CONTEXT * shape.vocabularySize(),
                                                -2,
                                                2)
                                        .toArray());
        try (var program = new Program(shape, values, teaching)) {
            var gradients = program.gradients(tokens, labels, soft);
            for (int i = 0; i < values.size(); i++) {
                for (int probe = 0; probe < 5; probe++) {
                    int at = random.nextInt(values.get(i).length);
                    double step = 1e-5;
                    double difference =
                            (lossWith(shape, values, i, at, step, tokens, labels, soft, teaching)
                                            - lossWith(
                                                    shape, values, i, at, -step, tokens, labels,
                                                    soft, teaching))
                                    / (2 * step);
                    assertThat(gradients.get(i)[at])
                            .as("parameter %d element %d", i, at)
                            .isCloseTo(difference, within(1e-6));
                }
            }
        }
    }

    @Test
    void aPositionSeesNothingThatComesLater() {
        var shape = shape(true);
        var tokens = randomTokens(shape);
        try (var program = new Program(shape, randomValues(shape), Optional.empty())) {
            var before = program.logits(tokens);
            tokens[CONTEXT - 1] = (tokens[CONTEXT - 1] + 1) % shape.vocabularySize();
            var after = program.logits(tokens);
            int earlier = (CONTEXT - 1) * shape.vocabularySize();
            assertThat(IntStream.range(0, earlier)).allMatch(i -> before[i] == after[i]);
            assertThat(IntStream.range(earlier, earlier + shape.vocabularySize()))
                    .anyMatch(i -> before[i] != after[i]);
        }
    }

    @Test
    void theLossIsTheMeanOverLearnedLabels() {
        checkMask(Optional.empty());
    }

    @ParameterizedTest
    @EnumSource
    void soIsThatOfATeacher(Divergence divergence) {
        checkMask(taught(divergence, 0.7));
    }

    private void checkMask(Optional<TrainingConfig.Distillation> teaching) {
        var shape = shape(true);
        var tokens = randomTokens(shape);
        var labels = randomTokens(shape);
        var teacher =
                random.doubles((long) ROWS * CONTEXT * shape.vocabularySize(), -2, 2).toArray();
        List<double[]> soft = teaching.isEmpty() ? List.of() : List.of(teacher);
        try (var program = new Program(shape, randomValues(shape), teaching)) {
            double all = program.loss(tokens, labels, soft);
            int learned = 0;
            for (int place = 0; place < program.mask.length; place++) {
                program.mask[place] = place % (CONTEXT + 1) % 3 == 1 ? 1 : 0;
                learned += program.mask[place];
            }
            double some = program.loss(tokens, labels, soft);
            for (int place = 0; place < program.mask.length; place++) {
                program.mask[place] = 1 - program.mask[place];
            }
            double others = program.loss(tokens, labels, soft);
            double share = (double) learned / (ROWS * CONTEXT);
            assertThat(share * some + (1 - share) * others).isCloseTo(all, within(1e-9));
            assertThat(some).isNotCloseTo(all, within(1e-6));
            Arrays.fill(program.mask, 0);
            assertThat(program.gradients(tokens, labels, soft))
                    .allSatisfy(gradient -> assertThat(gradient).containsOnly(0));
        }
    }

    private double lossWith(
            DecoderShape shape,
            List<double[]> values,
            int parameter,
            int at,
            double change,
            long[] tokens,
            long[] labels,
            List<double[]> soft,
            Optional<TrainingConfig.Distillation> teaching) {
        var changed = new ArrayList<>(values);
        changed.set(parameter, values.get(parameter).clone());
        changed.get(parameter)[at] += change;
        try (var program = new Program(shape, changed, teaching)) {
            return program.loss(tokens, labels, soft);
        }
    }

    private static DecoderShape shape(boolean tied) {
        return new DecoderShape(11, 8, 2, 4, 2, 4, 12, 16, 10_000, 1e-5, tied, Optional.empty());
    }

    private List<double[]> randomValues(DecoderShape shape) {
        return DecoderParameters.of(shape).list().stream()
                .map(parameter -> random.doubles(parameter.size(), -0.6, 0.6).toArray())
                .toList();
    }

    private long[] randomTokens(DecoderShape shape) {
        return random.longs((long) ROWS * CONTEXT, 0, shape.vocabularySize()).toArray();
    }

    /// Runs the compiled program on given values.
    private final class Program implements AutoCloseable {
        private final PtNDManager scope = (PtNDManager) manager.newSubManager();
        private final TorchScript script;
        private final TorchValue weights;
        private final TorchValue cosines;
        private final TorchValue sines;
        private long[] mask = LongStream.generate(() -> 1).limit(ROWS * (CONTEXT + 1)).toArray();

        Program(
                DecoderShape shape,
                List<double[]> values,
                Optional<TrainingConfig.Distillation> teaching) {
            var source =
                    TrainingScripts.decoder(shape, TrainingConfig.Precision.FLOAT32, teaching)
                            + TrainingScripts.gradients();
            script = scripts.computeIfAbsent(source, TorchScript::compile);
            var parameters = DecoderParameters.of(shape).list();
            var arrays = new ArrayList<NDArray>();
            for (int i = 0; i < values.size(); i++) {
                var array = scope.create(values.get(i), new Shape(parameters.get(i).shape()));
                array.setRequiresGradient(true);
                arrays.add(array);
            }
            weights = TorchValue.ofArrays(arrays);
            var table = RopeTable.of(shape.decoder(), shape.maxPositions());
            var tableShape = new Shape(shape.maxPositions(), 1, shape.headDimension());
            cosines = TorchValue.of(scope.create(doubles(table.headCosines()), tableShape));
            sines = TorchValue.of(scope.create(doubles(table.headSignedSines()), tableShape));
        }

        double[] logits(long[] tokens) {
            TensorThread.enterInference();
            try (var input = tokens(tokens);
                    var result = script.callRecording("logits", input, weights, cosines, sines)) {
                return result.toArray(scope).toDoubleArray();
            }
        }

        double loss(long[] tokens, long[] labels, List<double[]> soft) {
            TensorThread.enterInference();
            try (var result = call("loss", tokens, labels, soft)) {
                return result.toArray(scope).getDouble();
            }
        }

        List<double[]> gradients(long[] tokens, long[] labels, List<double[]> soft) {
            TensorThread.enterTraining();
            try (var result = call("gradients", tokens, labels, soft)) {
                var all = result.toArrays(scope).stream().map(NDArray::toDoubleArray).toList();
                return all.subList(1, all.size());
            }
        }

        private TorchValue call(String method, long[] tokens, long[] labels, List<double[]> soft) {
            var inputs = new ArrayList<NDArray>();
            inputs.add(new TokenRows(tokens, ROWS).array(scope));
            inputs.add(new TokenRows(labels, ROWS).array(scope));
            inputs.add(scope.create(mask, new Shape(ROWS, CONTEXT + 1)));
            for (var values : soft) {
                int rows = ROWS * CONTEXT;
                inputs.add(scope.create(values, new Shape(rows, values.length / rows)));
            }
            try (var x = TorchValue.ofArrays(inputs);
                    var c = TorchValue.ofList(List.of(cosines, sines))) {
                return script.callRecording(method, weights, x, c);
            }
        }

        private TorchValue tokens(long[] tokens) {
            return TorchValue.of(scope.create(tokens, new Shape(ROWS, CONTEXT)));
        }

        @Override
        public void close() {
            weights.close();
            cosines.close();
            sines.close();
            scope.close();
        }
    }

    private static double[] doubles(float[] floats) {
        return IntStream.range(0, floats.length).mapToDouble(i -> floats[i]).toArray();
    }
}
