package dev.outrider.drafter.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Learner;
import dev.outrider.training.Parameter;
import dev.outrider.training.RowSource.RowStream;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingConfig.LearningRate;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.TrainingScripts;
import dev.outrider.training.head.HeadLearner;
import dev.outrider.training.head.HeadTraining;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The training program computes what the finished head drafts: the same guesses, from the target's states along a text.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BlockProgramTest {
    private static final int WIDTH = 16;
    private static final int ROWS = 2;
    private static final double CLOSE = 5e-4;

    @TempDir private Path folder = Path.of("");
    private final TargetModel target = TinyTarget.DEEP.open();
    private int written;

    @BeforeEach
    void writeTarget() throws IOException {
        TinyTarget.DEEP.write(folder.resolve("target"));
    }

    @AfterAll
    void close() {
        target.close();
    }

    static Stream<HeadPlan> heads() {
        return Stream.of(
                HeadPlan.NONE,
                new HeadPlan(6, "vanilla", 0.5, true),
                new HeadPlan(6, "gated", 0.5, false),
                new HeadPlan(6, "rnn", 0.5, true));
    }

    @ParameterizedTest
    @MethodSource("heads")
    void trainsWhatIsDrafted(HeadPlan heads) {
        var random = new SplittableRandom(8);
        long[] tokens = random.longs(ROWS * WIDTH, 0, TinyTarget.VOCABULARY).toArray();
        var rows = new TokenRows(tokens, ROWS);
        TensorThread.enterInference();
        try (var learner = learner(heads);
                var manager = TensorRuntime.newManager();
                var script = TorchScript.compile(learner.program() + TrainingScripts.gradients())) {
            var values =
                    learner.parameters().list().stream()
                            .map(parameter -> values(parameter, random))
                            .toList();
            var inputs = learner.inputs(rows, manager);
            var path = folder.resolve("head" + written++);
            try (var p = TorchValue.ofArrays(arrays(learner, values, manager));
                    var x = TorchValue.ofArrays(inputs);
                    var c = TorchValue.ofArrays(learner.constants(manager));
                    var states = script.callRecording("states", p, x, c);
                    var guesses = script.callRecording("guesses", states, p, x, c);
                    var measures = script.callRecording("measures", p, x, c)) {
                float[] found = guesses.toArray(manager).toFloatArray();
                assertThat(measures.toArrays(manager)).hasSize(1 + learner.measures().size());
                assertThat(measures.toArrays(manager))
                        .allMatch(measure -> Float.isFinite(measure.getFloat()));
                write(learner, values, path);
                try (var drafter =
                        heads.equals(HeadPlan.NONE)
                                ? Opened.dflash(target, path, new TreePlan.Chain(2))
                                : Opened.dspark(target, path, new TreePlan.Chain(2))) {
                    assertDrafts(drafter, rows, inputs, found);
                }
            }
            everyParameterIsLearnt(script, learner, values, inputs);
        }
    }

    private static void everyParameterIsLearnt(
            TorchScript script, Learner learner, List<float[]> values, List<NDArray> inputs) {
        try (var manager = TensorRuntime.newManager()) {
            var constants = learner.constants(manager);
            TensorThread.enterTraining();
            var arrays = arrays(learner, values, manager);
            arrays.forEach(array -> array.setRequiresGradient(true));
            try (var p = TorchValue.ofArrays(arrays);
                    var x = TorchValue.ofArrays(inputs);
                    var c = TorchValue.ofArrays(constants);
                    var found = script.callRecording("gradients", p, x, c)) {
                var gradients = found.toArrays(manager);
                for (int index = 0; index < arrays.size(); index++) {
                    assertThat(gradients.get(index + 1).toFloatArray())
                            .as("%s", learner.parameters().list().get(index))
                            .matches(BlockProgramTest::isNotZero);
                }
            }
        }
    }

    private static boolean isNotZero(float[] numbers) {
        for (float number : numbers) {
            if (number != 0) {
                return true;
            }
        }
        return false;
    }

    /// Compares the drafter's guesses along the text, block by block.
    private static void assertDrafts(
            BlockDrafter draft, TokenRows rows, List<NDArray> inputs, float[] found) {
        int first = inputs.size() - draft.captured().size();
        var captured =
                inputs.subList(first, inputs.size()).stream().map(NDArray::toFloatArray).toList();
        var blocks = SampledBlocks.draw(rows, plan(), draft.slots(), training().seed());
        int guesses = draft.slots().guesses();
        int at = 0;
        for (int row = 0; row < ROWS; row++) {
            for (int anchor : blocks.anchors()[row]) {
                try (var cache = draft.backbone().newCache(WIDTH + draft.slots().size());
                        var arena = Arena.ofConfined()) {
                    keep(draft, cache, captured, row, anchor, arena);
                    int root = token(rows, row, anchor);
                    var stepper = new BlockStepper(draft, cache, Optional.empty(), root, guesses);
                    var logits = stepper.root();
                    for (int guess = 0; guess < guesses; guess++) {
                        if (guess > 0) {
                            int before = token(rows, row, anchor + guess);
                            int parent = guess == 1 ? StepInput.ROOT : guess - 2;
                            logits = stepper.step(List.of(new StepInput(before, parent, guess)));
                        }
                        var numbers = logits.row(0).toArray(ValueLayout.JAVA_FLOAT);
                        for (float number : numbers) {
                            assertThat(number)
                                    .as("row %d, anchor %d, guess %d", row, anchor, guess)
                                    .isCloseTo(found[at++], within((float) CLOSE));
                        }
                    }
                }
            }
        }
        assertThat(found).hasSize(at);
    }

    private static void keep(
            BlockDrafter draft,
            KvCache cache,
            List<float[]> captured,
            int row,
            int count,
            Arena arena) {
        if (count == 0) {
            return;
        }
        int size = TinyTarget.HIDDEN;
        var memory = arena.allocate(ValueLayout.JAVA_FLOAT, (long) count * captured.size() * size);
        for (int position = 0; position < count; position++) {
            for (int state = 0; state < captured.size(); state++) {
                MemorySegment.copy(
                        captured.get(state),
                        (row * WIDTH + position) * size,
                        memory,
                        ValueLayout.JAVA_FLOAT,
                        (long) (position * captured.size() + state) * size * Float.BYTES,
                        size);
            }
        }
        draft.backbone().keep(cache, new FeatureRows(memory, count, FeatureRows.Source.TARGET));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> plan(List.of(2, 9), 3))
                .hasMessageContaining("capturedLayers [2, 9]");
        assertThatThrownBy(() -> plan(List.of(2), TinyTarget.VOCABULARY))
                .hasMessageContaining("maskToken 40 of a target with 40 tokens");
        assertThatThrownBy(() -> new HeadPlan(4, "deep", 1, true))
                .hasMessageContaining("'markovType' must be vanilla, gated or rnn, got 'deep'");
    }

    private void plan(List<Integer> captured, int mask) {
        var settings =
                new DFlashTraining(keys(), new BlockPlan(2, 0, captured, 4, mask, 3, 4, 1, 0));
        HeadLearner.of(settings, BlockProgramTest::noRows).close();
    }

    private Learner learner(HeadPlan heads) {
        HeadTraining settings =
                heads.equals(HeadPlan.NONE)
                        ? new DFlashTraining(keys(), plan())
                        : new DSparkTraining(keys(), plan(), heads);
        return HeadLearner.of(settings, BlockProgramTest::noRows);
    }

    private static RowStream noRows(int rows, long skip) {
        throw new AssertionError("no rows are read");
    }

    private FrozenTargetKeys keys() {
        return new FrozenTargetKeys(
                folder.resolve("unused"),
                folder.resolve("target"),
                Precision.F32,
                "end",
                1,
                Optional.empty(),
                TrainingPlan.Storage.FLOAT32,
                training());
    }

    private static BlockPlan plan() {
        return new BlockPlan(2, 24, List.of(2, 4, 6), 4, 39, 3, 4, 0.7, 0.3);
    }

    private static TrainingConfig training() {
        return new TrainingConfig(
                2,
                ROWS,
                WIDTH - 1,
                new LearningRate(0.01, 0.2, 2, 10),
                TrainingConfig.Optimizer.standard(),
                TrainingConfig.Precision.FLOAT32,
                1,
                50,
                4,
                100,
                Optional.empty(),
                1,
                Optional.empty(),
                Optional.empty());
    }

    private static void write(Learner learner, List<float[]> values, Path path) {
        var finished = learner.finished(values, 0);
        try {
            java.nio.file.Files.createDirectories(path);
            java.nio.file.Files.writeString(path.resolve("config.json"), finished.configJson());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        SafetensorsWriter.write(path.resolve("model.safetensors"), finished.tensors(), Map.of());
    }

    private static List<NDArray> arrays(Learner learner, List<float[]> values, NDManager manager) {
        var arrays = new ArrayList<NDArray>();
        for (int index = 0; index < values.size(); index++) {
            arrays.add(
                    manager.create(
                            values.get(index),
                            new Shape(learner.parameters().list().get(index).shape())));
        }
        return arrays;
    }

    private static float[] values(Parameter parameter, SplittableRandom random) {
        var values = new float[parameter.size()];
        boolean matrix = parameter.decays();
        double spread = matrix ? 1 / Math.sqrt(parameter.shape()[1]) : 0.1;
        for (int index = 0; index < values.length; index++) {
            values[index] = (float) ((matrix ? 0 : 1) + spread * random.nextGaussian());
        }
        return values;
    }

    private static int token(TokenRows rows, int row, int position) {
        return Math.toIntExact(rows.tokens()[row * WIDTH + position]);
    }
}
