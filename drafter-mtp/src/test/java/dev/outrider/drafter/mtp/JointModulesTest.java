package dev.outrider.drafter.mtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import dev.outrider.training.DecoderShape;
import dev.outrider.training.DocumentEncoder;
import dev.outrider.training.Learner;
import dev.outrider.training.TextEncoder;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingConfig.LearningRate;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.TrainingScripts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tests the program of a decoder with modules, on random parameters.
class JointModulesTest {
    private static final DecoderShape SHAPE =
            new DecoderShape(11, 8, 2, 4, 2, 4, 12, 16, 10_000, 1e-5, true, Optional.empty());
    private static final int CONTEXT = 7;
    private static final int HEADS = 2;

    @Test
    void theLossIsTheDecodersPlusTheWeightedMeanOfTheModules() {
        long[] tokens = tokens();

        double[] measured = call("measures", tokens);
        double loss = call("loss", tokens)[0];

        assertThat(measured).hasSize(1 + HEADS);
        assertThat(loss)
                .isCloseTo(measured[0] + 0.3 * (measured[1] + measured[2]) / HEADS, within(1e-5));
    }

    @Test
    void aModuleIsJudgedByTheTokenAsManyPlacesOn() {
        // The last token is a label only of the last module, and of the decoder.
        long[] tokens = tokens();
        long[] changed = tokens.clone();
        changed[CONTEXT] = (changed[CONTEXT] + 1) % SHAPE.vocabularySize();

        double[] before = call("measures", tokens);
        double[] after = call("measures", changed);

        assertThat(after[0]).isNotCloseTo(before[0], within(1e-6));
        assertThat(after[1]).isCloseTo(before[1], within(1e-6));
        assertThat(after[2]).isNotCloseTo(before[2], within(1e-6));
    }

    @Test
    void whatIsNotLearnedIsReadAndCountsForNothing() {
        var tokens = tokens();
        var first = new boolean[tokens.length];
        var second = new boolean[tokens.length];
        for (int i = 0; i < tokens.length; i++) {
            first[i] = i % 3 == 0;
            second[i] = !first[i];
        }
        double[] all = measures(new TokenRows(tokens, 1));
        double[] some = measures(new TokenRows(tokens, first, 1));
        double[] others = measures(new TokenRows(tokens, second, 1));
        // The labels of step k, from 0, are the tokens from k + 1 on, without those that a later
        // step lacks.
        int steps = HEADS + 1;
        for (int step = 0; step < steps; step++) {
            int from = step + 1;
            int to = step == 0 ? tokens.length : tokens.length - HEADS + step;
            long counted = IntStream.range(from, to).filter(i -> first[i]).count();
            double share = (double) counted / (to - from);
            assertThat(share * some[step] + (1 - share) * others[step])
                    .isCloseTo(all[step], within(1e-4));
            assertThat(some[step]).isNotCloseTo(all[step], within(1e-4));
        }
        var none = new TokenRows(tokens, new boolean[tokens.length], 1);
        assertThat(Arrays.stream(measures(none)).boxed()).allMatch(Double::isFinite);
    }

    @Test
    void everyParameterOfTheModulesHasAGradient() {
        try (var learner = learner();
                var manager = TensorRuntime.newManager();
                var script = TorchScript.compile(learner.program() + TrainingScripts.gradients())) {
            var weights = weights(learner, manager);
            weights.forEach(weight -> weight.setRequiresGradient(true));
            TensorThread.enterInference();
            try (var p = TorchValue.ofArrays(weights);
                    var x =
                            TorchValue.ofArrays(
                                    learner.inputs(new TokenRows(tokens(), 1), manager));
                    var c = TorchValue.ofArrays(learner.constants(manager));
                    var found = gradients(script, p, x, c)) {
                var gradients = found.toArrays(manager);
                assertThat(gradients).hasSize(1 + weights.size());
                for (int i = 0; i < weights.size(); i++) {
                    assertThat(gradients.get(1 + i).abs().sum().getFloat())
                            .describedAs("%s", learner.parameters().list().get(i))
                            .isPositive();
                }
            }
        }
    }

    @Test
    void impossibleModulesAreRefused() {
        assertThatThrownBy(() -> new MtpModules(3, 2, 1, true))
                .hasMessage("3 modules learn 3 steps, not 2");
        assertThatThrownBy(() -> new MtpModules(1, 1, 0, true))
                .hasMessage("stepDecay 0.0 is not in (0, 1]");
        assertThatThrownBy(() -> new JointTraining.JointModules(0, 0.3))
                .hasMessage("heads 0 must be at least 1");
        assertThatThrownBy(() -> new JointTraining.JointModules(1, 0))
                .hasMessage("lossWeight 0.0 is not positive");
    }

    private static double[] measures(TokenRows rows) {
        return call("measures", rows);
    }

    private static double[] call(String method, long[] tokens) {
        return call(method, new TokenRows(tokens, 1));
    }

    private static double[] call(String method, TokenRows rows) {
        try (var learner = learner();
                var manager = TensorRuntime.newManager();
                var script = TorchScript.compile(learner.program())) {
            var weights = weights(learner, manager);
            TensorThread.enterInference();
            try (var p = TorchValue.ofArrays(weights);
                    var x = TorchValue.ofArrays(learner.inputs(rows, manager));
                    var c = TorchValue.ofArrays(learner.constants(manager));
                    var found = script.callRecording(method, p, x, c)) {
                var arrays =
                        method.equals("loss")
                                ? List.of(found.toArray(manager))
                                : found.toArrays(manager);
                return arrays.stream().mapToDouble(NDArray::getFloat).toArray();
            }
        }
    }

    private static TorchValue gradients(
            TorchScript script, TorchValue p, TorchValue x, TorchValue c) {
        TensorThread.enterTraining();
        try {
            return script.callRecording("gradients", p, x, c);
        } finally {
            TensorThread.enterInference();
        }
    }

    private static List<NDArray> weights(Learner learner, PtNDManager manager) {
        var weights = new ArrayList<NDArray>();
        for (var values : values(learner)) {
            var shape = learner.parameters().list().get(weights.size()).shape();
            weights.add(manager.create(values, new Shape(shape)));
        }
        return weights;
    }

    private static List<float[]> values(Learner learner) {
        var random = new SplittableRandom(3);
        return learner.parameters().list().stream()
                .map(parameter -> {
                    var values = new float[parameter.size()];
                    for (int i = 0; i < values.length; i++) {
                        values[i] = (float) (random.nextGaussian() * 0.4);
                    }
                    return values;
                })
                .toList();
    }

    private static long[] tokens() {
        return new SplittableRandom(1).longs(CONTEXT + 1, 0, SHAPE.vocabularySize()).toArray();
    }

    private static Learner learner() {
        var config =
                new TrainingConfig(
                        1,
                        1,
                        CONTEXT,
                        new LearningRate(1e-2, 1, 0, 1),
                        TrainingConfig.Optimizer.standard(),
                        TrainingConfig.Precision.FLOAT32,
                        1,
                        1,
                        1,
                        1,
                        Optional.empty(),
                        1,
                        Optional.empty(),
                        Optional.empty());
        return new TrainingPlan(
                        SHAPE,
                        Optional.of(new JointTraining.JointModules(HEADS, 0.3)),
                        config,
                        new DocumentEncoder(new NoText(), Optional.empty()),
                        Stream::empty,
                        Stream::empty,
                        Path.of("nowhere"),
                        TrainingPlan.Storage.FLOAT32,
                        Optional.empty(),
                        Map.of(),
                        Optional.empty())
                .learner();
    }

    /// In this test, rows are given as tokens.
    private static final class NoText implements TextEncoder {
        @Override
        public int[] encode(String text) {
            throw new AssertionError("no text is read: " + Arrays.toString(text.toCharArray()));
        }

        @Override
        public int vocabularySize() {
            return SHAPE.vocabularySize();
        }

        @Override
        public int endOfText() {
            return 0;
        }
    }
}
