package dev.outrider.drafter.hydraplusplus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.drafting.head.SequenceDrafter;
import dev.outrider.drafting.head.SequenceHeads;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import dev.outrider.training.Divergence;
import dev.outrider.training.DocumentEncoder;
import dev.outrider.training.DocumentSource;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Learner;
import dev.outrider.training.RowSource;
import dev.outrider.training.TextEncoder;
import dev.outrider.training.TokenRows;
import dev.outrider.training.Trainer;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingConfig.LearningRate;
import dev.outrider.training.TrainingJob;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.head.HeadLearner;
import dev.outrider.training.head.TokenHeads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests that a finished head drafts what its training program computes.
class TrainedPrefixTest {
    private static final int CONTEXT = 24;
    private static final int HEADS = 3;

    @TempDir private Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource({"1, true", "2, false", "3, true"})
    void aFinishedHeadComputesWhatIsPractised(int blocks, boolean own) throws IOException {
        long[] text = text();
        TensorThread.enterInference();
        try (var learner = learner(blocks, own);
                var manager = TensorRuntime.newManager();
                var script = TorchScript.compile(learner.program())) {
            var values = random(learner);
            var finished = learner.finished(values, 0);
            Files.writeString(folder.resolve("config.json"), finished.configJson());
            SafetensorsWriter.write(
                    folder.resolve("model.safetensors"), finished.tensors(), Map.of());
            try (var p = TorchValue.ofArrays(arrays(learner, values, manager));
                    var x = TorchValue.ofArrays(learner.inputs(new TokenRows(text, 1), manager));
                    var c = TorchValue.ofArrays(learner.constants(manager));
                    var practised = script.callRecording("heads", p, x, c);
                    var measures = script.callRecording("measures", p, x, c)) {
                assertThat(measures.toArrays(manager)).hasSize(1 + learner.measures().size());
                assertDrafts(text, practised.toArrays(manager));
            }
        }
    }

    private void assertDrafts(long[] text, List<NDArray> practised) {
        int[] tokens = LongStream.of(text).mapToInt(token -> (int) token).toArray();
        try (var target = Heads.target();
                var drafter = Heads.drafter(folder, new TreePlan.Chain(HEADS), target);
                var session = target.open(new SessionRequest(40, drafter.hiddenStates()));
                var states = session.prefill(tokens);
                var reader = heads(drafter).reader(tokens.length)) {
            for (int place = 0; place + 2 < tokens.length; place++) {
                reader.read(states, place, tokens[place + 1]);
                var state = List.of(heads(drafter).start(reader.state().orElseThrow()));
                int last = Math.min(HEADS, tokens.length - place - 2);
                for (int head = 0; head < last; head++) {
                    state = heads(drafter).after(state, new int[] {tokens[place + head + 1]});
                    var logits = new float[Heads.VOCABULARY];
                    heads(drafter).logits(head, state, logits);
                    float[] expected = practised.get(head).get(place).toFloatArray();
                    for (int token = 0; token < logits.length; token++) {
                        assertThat(logits[token])
                                .as("place %d, head %d", place, head)
                                .isCloseTo(expected[token], within(2e-3f));
                    }
                }
            }
        }
    }

    private static SequenceHeads heads(Object drafter) {
        return ((SequenceDrafter) drafter).heads();
    }

    @Test
    void onlyTheTargetAtLearnedTokensCounts() {
        long[] text = text();
        var learned = new boolean[text.length];
        learned[7] = true;
        learned[12] = true;
        TensorThread.enterInference();
        try (var learner = learner(1, true);
                var manager = TensorRuntime.newManager();
                var script = TorchScript.compile(learner.program())) {
            var inputs = learner.inputs(new TokenRows(text, learned, 1), manager);
            double before = loss(learner, script, inputs, manager);
            for (int position = 1; position < text.length; position++) {
                var changed = new ArrayList<>(inputs);
                var logits = inputs.get(2).toFloatArray();
                logits[position * Heads.VOCABULARY + 3] += 9;
                changed.set(2, manager.create(logits, inputs.get(2).getShape()));
                boolean counts = position + 1 < text.length && learned[position + 1];
                assertThat(loss(learner, script, changed, manager) != before)
                        .as("position %d", position)
                        .isEqualTo(counts);
            }
            var none = learner.inputs(new TokenRows(text, new boolean[text.length], 1), manager);
            assertThat(loss(learner, script, none, manager)).isFinite();
        }
    }

    @Test
    void trainingLearns() throws IOException {
        double first = train(1);
        assertThat(train(60)).isLessThan(0.9 * first);
    }

    @Test
    void rowsShorterThanTheGuessesAreRefused() {
        var settings = new HydraPlusPlusTraining(keys(1), plan(CONTEXT, 1, true));
        assertThatThrownBy(() -> HeadLearner.of(settings, NO_ROWS))
                .hasMessage("contextTokens (24) must exceed the number of heads (24)");
    }

    private static final RowSource NO_ROWS =
            (_, _) -> {
                throw new AssertionError("no rows are read");
            };

    private double loss(
            Learner learner, TorchScript script, List<NDArray> inputs, PtNDManager manager) {
        try (var p = TorchValue.ofArrays(arrays(learner, random(learner), manager));
                var x = TorchValue.ofArrays(inputs);
                var c = TorchValue.ofArrays(learner.constants(manager));
                var found = script.callRecording("loss", p, x, c)) {
            return found.toArray(manager).getFloat();
        }
    }

    private double train(int steps) throws IOException {
        var settings = new HydraPlusPlusTraining(keys(steps), plan(HEADS, 2, false));
        var job =
                new TrainingJob(
                        settings.keys().training(),
                        new DocumentEncoder(new Counting(), Optional.empty()),
                        texts(0),
                        texts(3),
                        settings.keys().out(),
                        Map.of());
        try (var learner = HeadLearner.of(settings, job.training())) {
            return new Trainer(() -> 0)
                    .train(job, learner, _ -> {}, () -> false)
                    .orElseThrow()
                    .validationLoss();
        }
    }

    private Learner learner(int blocks, boolean own) {
        var settings = new HydraPlusPlusTraining(keys(1), plan(HEADS, blocks, own));
        return HeadLearner.of(settings, NO_ROWS);
    }

    private static TokenHeads.Plan plan(int heads, int blocks, boolean own) {
        return new TokenHeads.Plan(
                heads,
                blocks,
                own ? TokenHeads.Projection.OWN : TokenHeads.Projection.TARGET,
                TokenHeads.Labels.TARGET,
                0.8,
                Divergence.FORWARD_KL);
    }

    private FrozenTargetKeys keys(int steps) {
        var config =
                new TrainingConfig(
                        2,
                        4,
                        CONTEXT,
                        new LearningRate(0.003, 0.2, 0, steps),
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
        return new FrozenTargetKeys(
                folder.resolve("trained" + steps),
                Heads.TARGET,
                Precision.F32,
                "<|endoftext|>",
                1,
                Optional.empty(),
                TrainingPlan.Storage.FLOAT32,
                config);
    }

    private static long[] text() {
        return new SplittableRandom(9).longs(CONTEXT + 1, 0, Heads.VOCABULARY).toArray();
    }

    /// Returns numbers as large as those of a trained model.
    private static List<float[]> random(Learner learner) {
        var random = new SplittableRandom(3);
        return learner.parameters().list().stream()
                .map(parameter -> {
                    boolean norm = parameter.parts().getFirst().name().contains("norm");
                    var values = new float[parameter.size()];
                    for (int i = 0; i < values.length; i++) {
                        values[i] = (float) ((norm ? 1 : 0) + 0.1 * random.nextGaussian());
                    }
                    return values;
                })
                .toList();
    }

    private static List<NDArray> arrays(
            Learner learner, List<float[]> values, PtNDManager manager) {
        var list = learner.parameters().list();
        return IntStream.range(0, values.size())
                .<NDArray>mapToObj(index ->
                        manager.create(values.get(index), new Shape(list.get(index).shape())))
                .toList();
    }

    private static DocumentSource texts(int first) {
        return DocumentSource.ofTexts(
                () -> Stream.iterate(first, start -> start + 1).map(String::valueOf));
    }

    /// A text counts from its number.
    private record Counting() implements TextEncoder {
        @Override
        public int[] encode(String text) {
            var tokens = new int[30];
            Arrays.setAll(tokens, i -> (Integer.parseInt(text) + 3 * i) % Heads.VOCABULARY);
            return tokens;
        }

        @Override
        public int vocabularySize() {
            return Heads.VOCABULARY;
        }

        @Override
        public int endOfText() {
            return 0;
        }
    }
}
