package dev.outrider.drafter.eagle;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import dev.outrider.training.Divergence;
import dev.outrider.training.Learner;
import dev.outrider.training.TokenRows;
import dev.outrider.training.head.HeadLearner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests which tokens of a text a head learns.
class LearnedTokensTest {
    private static CountingTarget counting = new CountingTarget(Path.of(""));

    @BeforeAll
    static void trainTheTarget(@TempDir Path folder) throws IOException {
        counting = new CountingTarget(folder);
        counting.train(20);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void onlyTheTargetAtLearnedTokensCounts(int generation) {
        var captured = generation == 1 ? List.<Integer>of() : List.of(0, 2, 3);
        var plan =
                new EaglePlan(
                        generation,
                        1,
                        1,
                        captured,
                        new EaglePlan.Form(false, false, 0),
                        2,
                        0.8,
                        Divergence.FORWARD_KL);
        int[] text = CountingTarget.tokens(3);
        var tokens = new long[CountingTarget.CONTEXT + 1];
        var learned = new boolean[tokens.length];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = text[i % text.length];
            learned[i] = i % 4 == 1;
        }
        try (var manager = TensorRuntime.newManager();
                var learner =
                        HeadLearner.of(
                                new EagleTraining(
                                        counting.keys("unused", CountingTarget.config(0.01, 20)),
                                        plan),
                                (_, _) -> {
                                    throw new AssertionError(
                                            "all tokens of the target: nothing to count");
                                });
                var script = TorchScript.compile(learner.program())) {
            var inputs = learner.inputs(new TokenRows(tokens, learned, 1), manager);
            double before = loss(learner, script, inputs, manager);
            if (generation == 3) {
                // Its layer does not read the final states; they are compared with where the token
                // after them is learned.
                assertThat(lossAfterChange(learner, script, inputs, manager, 4 * 3 + 1))
                        .isEqualTo(before);
                assertThat(lossAfterChange(learner, script, inputs, manager, 4 * 3))
                        .isNotEqualTo(before);
            } else {
                // Its layer reads all final states but the last, which is only compared, where the
                // last token is learned.
                int last = tokens.length - 1;
                assertThat(lossAfterChange(learner, script, inputs, manager, last))
                        .isEqualTo(before);
                var longer = learned.clone();
                longer[last] = true;
                var more = learner.inputs(new TokenRows(tokens, longer, 1), manager);
                assertThat(lossAfterChange(learner, script, more, manager, last))
                        .isNotEqualTo(loss(learner, script, more, manager));
            }
            var none =
                    learner.inputs(new TokenRows(tokens, new boolean[tokens.length], 1), manager);
            assertThat(loss(learner, script, none, manager)).isFinite();
        }
    }

    private static double lossAfterChange(
            Learner learner,
            TorchScript script,
            List<NDArray> inputs,
            PtNDManager manager,
            int place) {
        int features = inputs.size() - 2;
        var states = inputs.get(features);
        var values = states.toFloatArray();
        int hidden = Math.toIntExact(states.getShape().get(2));
        for (int i = 0; i < hidden; i++) {
            values[place * hidden + i] += i % 3 - 1;
        }
        var changed = new ArrayList<>(inputs);
        changed.set(features, manager.create(values, states.getShape()));
        return loss(learner, script, changed, manager);
    }

    private static double loss(
            Learner learner, TorchScript script, List<NDArray> inputs, PtNDManager manager) {
        var random = new SplittableRandom(3);
        var weights = new ArrayList<NDArray>();
        for (var parameter : learner.parameters().list()) {
            var values = new float[Math.toIntExact(parameter.size())];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) random.nextDouble(-0.3, 0.3);
            }
            weights.add(manager.create(values, new Shape(parameter.shape())));
        }
        TensorThread.enterInference();
        try (var p = TorchValue.ofArrays(weights);
                var x = TorchValue.ofArrays(inputs);
                var c = TorchValue.ofArrays(learner.constants(manager));
                var found = script.callRecording("loss", p, x, c)) {
            return found.toArray(manager).getFloat();
        }
    }
}
