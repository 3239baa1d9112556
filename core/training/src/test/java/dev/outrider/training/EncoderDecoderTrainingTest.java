package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.training.EncoderDecoderShape.EncoderDecoderParameters;
import dev.outrider.training.TrainingConfig.LearningRate;
import dev.outrider.training.data.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EncoderDecoderTrainingTest {
    private static final List<String> WORDS =
            List.of("abc", "bcde", "cab", "deed", "fact", "gab", "head", "ice");
    private static final DocumentSource REVERSED =
            () ->
                    Stream.iterate(0, i -> i + 1)
                            .map(i -> WORDS.get(i % WORDS.size()))
                            .map(word ->
                                    new Document.Completion(
                                            word,
                                            new StringBuilder(word).reverse().toString(),
                                            true));

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource
    void theLossFallsAndSoDoesTheShareOfMistakes(TrainingConfig.Precision precision)
            throws IOException {
        var losses = new ArrayList<Double>();
        var tokens = new ArrayList<Long>();
        var result =
                train(
                                plan(folder, shape(true), config(60, precision, Optional.empty())),
                                step -> {
                                    losses.add(step.loss());
                                    tokens.add(step.tokens());
                                })
                        .orElseThrow();
        assertThat(losses).hasSize(60);
        assertThat(losses.getFirst()).isGreaterThan(2);
        assertThat(result.loss()).isLessThan(0.3);
        assertThat(result.validationLoss()).isLessThan(0.3);
        assertThat(result.measures().get("tokenAccuracy")).isGreaterThan(0.9);
        // Four words of 3 or 4 letters, each with its end.
        assertThat(tokens.getFirst()).isBetween(4L * 4, 4L * 5);
        assertThat(result.tokens()).isEqualTo(tokens.getLast());
    }

    @Test
    void aKilledAndResumedRunEndsWithTheSameModel() throws IOException {
        var config = config(25, TrainingConfig.Precision.FLOAT32, Optional.empty());
        train(plan(folder.resolve("whole"), shape(false), config), _ -> {});
        var killed = plan(folder.resolve("killed"), shape(false), config);
        assertThatThrownBy(() ->
                        train(
                                killed,
                                step -> {
                                    if (step.step() == 17) {
                                        throw new Killed();
                                    }
                                }))
                .isInstanceOf(Killed.class);
        var steps = new ArrayList<Long>();
        train(killed, step -> steps.add(step.step()));
        assertThat(steps.getFirst()).isEqualTo(11);
        for (var file : List.of("model.safetensors", "config.json")) {
            assertThat(folder.resolve("killed").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve("whole").resolve(file));
        }
        assertThat(curve("killed")).isEqualTo(curve("whole"));
    }

    @Test
    void aDraftLearnsFromATeacherOfAnotherShape() throws IOException {
        var plain = config(60, TrainingConfig.Precision.FLOAT32, Optional.empty());
        train(plan(folder.resolve("teacher"), shape(true), plain), _ -> {});
        var teacher =
                new TrainingConfig.Distillation(
                        folder.resolve("teacher"), 1, Divergence.FORWARD_KL);
        var config = config(60, TrainingConfig.Precision.FLOAT32, Optional.of(teacher));
        var small = new EncoderDecoderShape(28, 12, 1, 1, 2, 6, 16, 8, 16, 32, 1e-6, false);
        var result = train(plan(folder.resolve("draft"), small, config), _ -> {}).orElseThrow();
        assertThat(result.validationLoss()).isLessThan(0.5);
        assertThat(folder.resolve("draft/training.json"))
                .content()
                .contains("Distillation[teacher=../teacher, weight=1.0, divergence=FORWARD_KL]");
    }

    @Test
    void aTeacherOfOtherTokensIsRefused() throws IOException {
        var plain = config(3, TrainingConfig.Precision.FLOAT32, Optional.empty());
        var larger = new EncoderDecoderShape(29, 12, 1, 1, 2, 6, 16, 8, 16, 32, 1e-6, false);
        train(plan(folder.resolve("teacher"), larger, plain), _ -> {});
        var teacher =
                new TrainingConfig.Distillation(
                        folder.resolve("teacher"), 0.5, Divergence.FORWARD_KL);
        var config = config(3, TrainingConfig.Precision.FLOAT32, Optional.of(teacher));
        var run = plan(folder.resolve("draft"), shape(true), config);
        assertThatThrownBy(() -> train(run, _ -> {}))
                .hasMessageStartingWith(
                        "CONFIG_INVALID: '%s' cannot teach: expected an encoder-decoder like T5 1.1 of 28 tokens"
                                .formatted(folder.resolve("teacher")));
    }

    @Test
    void whatIsWrittenSaysWhatWasTrained() throws IOException {
        for (boolean tied : new boolean[] {true, false}) {
            var model = folder.resolve("" + tied);
            var config = config(3, TrainingConfig.Precision.FLOAT32, Optional.empty());
            train(plan(model, shape(tied), config), _ -> {});
            var directory = new Checkpoint(model);
            assertThat(ModelConfig.read(directory))
                    .isEqualTo(shape(tied).model(0, 1, TrainingPlan.Storage.FLOAT32));
            try (var tensors = directory.openTensors()) {
                assertThat(
                                EncoderDecoderParameters.of(shape(tied)).list().stream()
                                        .flatMap(parameter -> parameter.parts().stream())
                                        .map(Parameter.Part::name))
                        .containsExactlyInAnyOrderElementsOf(tensors.names());
            }
        }
    }

    private List<String> curve(String run) throws IOException {
        return Files.readAllLines(folder.resolve(run).resolve("loss-curve.jsonl"));
    }

    private static Optional<TrainingResult> train(EncoderDecoderPlan run, TrainingProgress progress)
            throws IOException {
        try (var learner = EncoderDecoderLearner.of(run)) {
            return new Trainer(() -> 0).train(run.job(), learner, progress, () -> false);
        }
    }

    private static EncoderDecoderShape shape(boolean tied) {
        return new EncoderDecoderShape(28, 16, 1, 2, 2, 8, 24, 8, 16, 32, 1e-6, tied);
    }

    private static TrainingConfig config(
            int steps,
            TrainingConfig.Precision precision,
            Optional<TrainingConfig.Distillation> teacher) {
        return new TrainingConfig(
                5,
                4,
                8,
                new LearningRate(3e-2, 0.1, 2, steps),
                TrainingConfig.Optimizer.standard(),
                precision,
                1,
                10,
                8,
                10,
                teacher,
                1,
                Optional.empty(),
                Optional.empty());
    }

    private static EncoderDecoderPlan plan(
            Path folder, EncoderDecoderShape shape, TrainingConfig config) {
        return new EncoderDecoderPlan(
                shape,
                8,
                config,
                new LetterPairEncoder(),
                REVERSED,
                REVERSED,
                folder,
                TrainingPlan.Storage.FLOAT32,
                Optional.empty(),
                Map.of());
    }

    /// Simulates the end of the process.
    private static final class Killed extends RuntimeException {}
}
