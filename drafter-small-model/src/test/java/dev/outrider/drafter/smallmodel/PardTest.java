package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import dev.outrider.drafter.smallmodel.PardTraining.TrainedPard;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import dev.outrider.training.Divergence;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingConfig.LearningRate;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.TrainingScripts;
import dev.outrider.training.TrainingTimeTest;
import dev.outrider.training.TrainingTimeTest.DepthPlan;
import dev.outrider.training.head.HeadLearner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests with the demo pair: training computes the same as the finished checkpoint drafts, guess for guess; other checkpoints are
/// refused.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PardTest {
    private static final Path MODELS =
            Path.of(System.getProperty("outrider.root", "..")).resolve("models");
    private static final int CONTEXT = 20;
    private static final int ROWS = 2;
    private static final int MASK = 2047;

    @TempDir private Path folder = Path.of("");
    private final TargetModel target =
            new VectorTargetFactory()
                    .open(
                            new VectorTargetConfig(
                                    MODELS.resolve("demo-target"),
                                    Optional.of(Precision.F32),
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty()));

    @AfterAll
    void close() {
        target.close();
    }

    @Test
    void trainsWhatIsDrafted() throws IOException {
        var plan = new DepthPlan(4, MASK, 0.6, 0.2);
        var settings = settings("draft", plan);
        var random = new SplittableRandom(8);
        long[] tokens = random.longs(ROWS * (CONTEXT + 1), 0, MASK).toArray();
        var rows = new TokenRows(tokens, ROWS);
        TensorThread.enterInference();
        try (var learner =
                        HeadLearner.of(
                                settings,
                                (_, _) -> {
                                    throw new AssertionError("no rows are read");
                                });
                var manager = TensorRuntime.newManager();
                var script = TorchScript.compile(learner.program() + TrainingScripts.gradients())) {
            var values =
                    learner.parameters().list().stream()
                            .map(parameter -> (Parameter.Initial.Given) parameter.initial())
                            .map(Parameter.Initial.Given::values)
                            .toList();
            var arrays = new ArrayList<NDArray>();
            for (int index = 0; index < values.size(); index++) {
                arrays.add(
                        manager.create(
                                values.get(index),
                                new Shape(learner.parameters().list().get(index).shape())));
            }
            float[] found;
            try (var p = TorchValue.ofArrays(arrays);
                    var x = TorchValue.ofArrays(learner.inputs(rows, manager));
                    var c = TorchValue.ofArrays(learner.constants(manager));
                    var guesses = script.callRecording("guesses", p, x, c);
                    var measures = script.callRecording("measures", p, x, c)) {
                found = guesses.toArray(manager).toFloatArray();
                assertThat(measures.toArrays(manager))
                        .hasSize(1 + learner.measures().size())
                        .allMatch(measure -> Float.isFinite(measure.getFloat()));
            }
            var finished = learner.finished(values, 0);
            Files.writeString(folder.resolve("config.json"), finished.configJson());
            SafetensorsWriter.write(
                    folder.resolve("model.safetensors"), finished.tensors(), Map.of());
            Files.copy(finished.tokenizer().orElseThrow(), folder.resolve("tokenizer.json"));
            assertDrafts(rows, plan, found);
        }
    }

    /// The drafter's distributions along the text are softmaxes of the program's guesses.
    private void assertDrafts(TokenRows rows, DepthPlan plan, float[] found) {
        var slots = TrainingTimeTest.draw(rows, plan, TrainedPard.AHEAD, 3);
        int vocabulary = target.description().vocabularySize();
        int compared = 0;
        try (var drafter = drafter(folder, plan.depths(), Optional.empty())) {
            for (int row = 0; row < ROWS; row++) {
                int first = row * slots.slots();
                for (int depth = 0; depth < plan.depths(); depth++) {
                    int[] places = slots.places()[row][depth];
                    for (int index = 0; index < places.length; index++) {
                        int[] prompt = prompt(rows, row, places[index]);
                        double[] q = distribution(drafter, prompt, depth);
                        double[] expected =
                                softmax(found, (first + index) * vocabulary, vocabulary);
                        for (int token = 0; token < vocabulary; token++) {
                            assertThat(q[token]).isCloseTo(expected[token], within(2e-5));
                        }
                        compared++;
                    }
                    first += places.length;
                }
            }
        }
        assertThat(compared).isEqualTo(ROWS * slots.slots());
        assertThat(found).hasSize(compared * vocabulary);
    }

    private static double[] distribution(PardDrafter drafter, int[] prompt, int depth) {
        try (var session = drafter.open(new DraftRequest(64, SamplingPolicy.atTemperature(1)))) {
            session.begin(prompt, SessionDriver.NO_STATES);
            var draft = session.propose(drafter.traits().fullBudget(), SessionDriver.randomness(1));
            return ((Selection.Independent) draft.selection()).distributions().row(depth);
        }
    }

    private static int[] prompt(TokenRows rows, int row, int place) {
        return Arrays.stream(rows.tokens(), row * rows.width(), row * rows.width() + place + 1)
                .mapToInt(Math::toIntExact)
                .toArray();
    }

    private static double[] softmax(float[] logits, int from, int count) {
        var p = new double[count];
        double best = Double.NEGATIVE_INFINITY;
        for (int token = 0; token < count; token++) {
            best = Math.max(best, logits[from + token]);
        }
        double sum = 0;
        for (int token = 0; token < count; token++) {
            p[token] = Math.exp(logits[from + token] - best);
            sum += p[token];
        }
        for (int token = 0; token < count; token++) {
            p[token] /= sum;
        }
        return p;
    }

    @ParameterizedTest
    @CsvSource({"pard_token, 12, ''", "ptd_token_id, 13, ''", "other, 1, 14"})
    void theMaskTokenIsReadOrGiven(String key, int written, String given) throws IOException {
        var changed = demoDraft(key, "" + written);
        var wanted = Optional.of(given).filter(text -> !text.isEmpty()).map(Integer::valueOf);
        try (var drafter = drafter(changed, 3, wanted)) {
            assertThat(drafter.maskToken()).isEqualTo(wanted.orElse(written));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "pard_token, 2048, has pard_token = 2048; expected a token below 2048",
        "pard_token, -1, pard_token = -1",
        "pard_token, true, pard_token = true",
        "other, 7, expected a token below 2048"
    })
    void otherCheckpointsAreRefused(String key, String written, String message) throws IOException {
        var changed = demoDraft(key, written);
        assertThatThrownBy(() -> drafter(changed, 3, Optional.empty()).close())
                .hasMessageContainingAll("MODEL_CONFIG_INVALID", "pard_token", message);
    }

    @Test
    void whatDoesNotFitIsRefused() throws IOException {
        var changed = demoDraft("pard_token", "5");
        assertThatThrownBy(() -> drafter(changed, 3, Optional.of(2048)).close())
                .hasMessageContaining("'maskToken' is 2048, the vocabulary has 2048 tokens");
        assertThatThrownBy(() -> drafter(changed, 3, Optional.of(-2)).close())
                .hasMessageContaining("'maskToken' must be a token, got -2");
        assertThatThrownBy(
                        () -> drafter(MODELS.resolve("demo-draft-1024"), 3, Optional.of(5)).close())
                .hasMessageContainingAll(
                        "DRAFTER_VOCABULARY_MISMATCH: drafter 'pard'",
                        "Or use the drafter 'small-model' with 'vocabulary: shared'.");
        assertThatThrownBy(() -> learn(settings("draft-1024", new DepthPlan(4, 5, 0.5, 0.1))))
                .hasMessageContaining("'start' has 1024 tokens, the target 2048");
        assertThatThrownBy(() -> learn(settings("draft", new DepthPlan(4, 2048, 0.5, 0.1))))
                .hasMessageContaining("maskToken 2048 of a target with 2048 tokens");
        assertThatThrownBy(() -> learn(settings("draft", new DepthPlan(21, 5, 0.5, 0.1))))
                .hasMessageContaining("rows of 21 tokens are too short for 21 depths");
        assertThatThrownBy(() -> learn(settings("moe-target", new DepthPlan(4, 5, 0.5, 0.1))))
                .hasMessageContaining("CHECKPOINT_UNSUPPORTED");
    }

    private static void learn(PardTraining settings) {
        HeadLearner.of(
                        settings,
                        (_, _) -> {
                            throw new AssertionError("no rows are read");
                        })
                .close();
    }

    private PardDrafter drafter(Path path, int length, Optional<Integer> maskToken) {
        return (PardDrafter)
                SmallModelPlugin.PARD.create(
                        new PardConfig(
                                path,
                                Optional.of(Precision.F32),
                                BackendKey.VECTOR,
                                Drafting.of(new TreePlan.Chain(length)),
                                maskToken),
                        () -> target);
    }

    /// Returns the demo draft with one more key.
    private Path demoDraft(String key, String value) throws IOException {
        var from = MODELS.resolve("demo-draft");
        for (var name : List.of("model.safetensors", "tokenizer.json")) {
            if (!Files.exists(folder.resolve(name))) {
                Files.copy(from.resolve(name), folder.resolve(name));
            }
        }
        var config = Files.readString(from.resolve("config.json"));
        Files.writeString(
                folder.resolve("config.json"),
                config.replaceFirst("\\{", "{\"%s\": %s,".formatted(key, value)));
        return folder;
    }

    private PardTraining settings(String start, DepthPlan plan) {
        var training =
                new TrainingConfig(
                        3,
                        ROWS,
                        CONTEXT,
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
        var keys =
                new FrozenTargetKeys(
                        folder.resolve("out"),
                        MODELS.resolve("demo-target"),
                        Precision.F32,
                        "<|endoftext|>",
                        1,
                        Optional.empty(),
                        TrainingPlan.Storage.FLOAT32,
                        training);
        return new PardTraining(keys, MODELS.resolve("demo-" + start), plan, Divergence.FORWARD_KL);
    }
}
