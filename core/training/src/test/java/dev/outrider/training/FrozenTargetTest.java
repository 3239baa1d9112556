package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import dev.outrider.training.TrainingConfig.LearningRate;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A frozen target gives learners the same numbers as a pass over each row alone, and gradients pass through it.
class FrozenTargetTest {
    private static final DecoderShape SHAPE =
            new DecoderShape(27, 16, 2, 4, 2, 4, 24, 32, 10_000, 1e-5, true, Optional.empty());
    private static final HiddenState LAST = new HiddenState.AfterFinalNorm();
    private static final HiddenState MIDDLE = new HiddenState.AfterLayer(1);
    private static final TokenRows ROWS = new TokenRows(new long[] {1, 5, 9, 2, 7, 7, 3, 26}, 2);

    @TempDir Path folder;

    @BeforeEach
    void trainTarget() throws IOException {
        new Trainer(() -> 0).train(run(folder), _ -> {}, () -> false).orElseThrow();
    }

    @Test
    void hiddenStatesAndLogitsEqualThoseOfEachRowAlone() {
        var directory = new Checkpoint(folder);
        var config = ModelConfig.read(directory).decoder();
        try (var target = FrozenTarget.load(folder, Precision.F32);
                var manager = TensorRuntime.newManager();
                var tensors = directory.openTensors();
                var reference =
                        new VectorNetwork(
                                config, new CheckpointWeights(config, tensors), Precision.F32)) {
            var outputs = target.forward(ROWS, Set.of(LAST, MIDDLE), true, manager);
            var logits = outputs.logits().orElseThrow();
            assertThat(logits.getShape().getShape()).containsExactly(8, 27);
            assertThat(outputs.hidden(MIDDLE).getShape().getShape()).containsExactly(2, 4, 16);
            for (int row = 0; row < 2; row++) {
                try (KvCache cache = reference.newCache(4);
                        var alone =
                                reference.forward(
                                        List.of(RowBlock.continuing(cache, ROWS.row(row))),
                                        new PassOutputs(
                                                PassOutputs.LogitRows.ALL, Set.of(LAST, MIDDLE)))) {
                    for (int t = 0; t < 4; t++) {
                        int at = row * 4 + t;
                        assertClose(
                                logits.get(at), alone.logits(t).toArray(ValueLayout.JAVA_FLOAT));
                        for (var state : List.of(LAST, MIDDLE)) {
                            assertClose(
                                    outputs.hidden(state).get(row).get(t),
                                    alone.hidden(state, t).toArray(ValueLayout.JAVA_FLOAT));
                        }
                    }
                }
            }
        }
    }

    @Test
    void whatItGivesMayBeSavedForGradients() {
        try (var target = FrozenTarget.load(folder, Precision.F32);
                var manager = TensorRuntime.newManager();
                var script =
                        TorchScript.compile(
                                """
                                  def slope(self: __torch__.M, w: Tensor, h: Tensor) -> Tensor:
                                    g = torch.grad([torch.sum(torch.mul(h, torch.mul(w, w)))], [w])
                                    return unchecked_cast(Tensor, g[0])
                                """)) {
            var hidden = target.forward(ROWS, Set.of(LAST), false, manager).hidden(LAST);
            var weight = manager.ones(hidden.getShape());
            weight.setRequiresGradient(true);
            TensorThread.enterTraining();
            try (var w = TorchValue.of(weight);
                    var h = TorchValue.of(hidden);
                    var slope = script.callRecording("slope", w, h)) {
                var found = slope.toArray(manager);
                TensorThread.enterInference();
                assertClose(found.flatten(), hidden.mul(2).toFloatArray());
            } finally {
                TensorThread.enterInference();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "EMBEDDING"})
    void aTiedHeadIsTheEmbedding(Weight weight) {
        try (var target = FrozenTarget.load(folder, Precision.F32);
                var manager = TensorRuntime.newManager();
                var tensors = new Checkpoint(folder).openTensors()) {
            assertThat(target.weight(weight, 0, manager).toFloatArray())
                    .isEqualTo(tensors.tensor("model.embed_tokens.weight").toFloats());
        }
    }

    @Test
    void aStateThatWasNotAskedForIsRefused() {
        try (var target = FrozenTarget.load(folder, Precision.F32);
                PtNDManager manager = TensorRuntime.newManager()) {
            var outputs = target.forward(ROWS, Set.of(LAST), false, manager);
            assertThat(outputs.logits()).isEmpty();
            assertThatThrownBy(() -> outputs.hidden(MIDDLE))
                    .hasMessage("AfterLayer[layers=1] was not asked for");
        }
    }

    private static void assertClose(NDArray found, float[] expected) {
        var values = found.toFloatArray();
        assertThat(values).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat(values[i]).isCloseTo(expected[i], within(1e-4f));
        }
    }

    private static TrainingPlan run(Path folder) {
        var config =
                new TrainingConfig(
                        5,
                        2,
                        8,
                        new LearningRate(0.01, 0.1, 1, 4),
                        TrainingConfig.Optimizer.standard(),
                        TrainingConfig.Precision.FLOAT32,
                        1,
                        10,
                        1,
                        10,
                        Optional.empty(),
                        1,
                        Optional.empty(),
                        Optional.empty());
        var words = DocumentSource.ofTexts(() -> Stream.generate(() -> "lantern"));
        return new TrainingPlan(
                SHAPE,
                config,
                new DocumentEncoder(new LetterEncoder(), Optional.empty()),
                words,
                words,
                folder,
                TrainingPlan.Storage.FLOAT32,
                Optional.empty(),
                Map.of(),
                Optional.empty());
    }
}
