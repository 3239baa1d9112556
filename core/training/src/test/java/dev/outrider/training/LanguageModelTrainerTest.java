package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.DecoderShape.DecoderParameters;
import dev.outrider.training.TrainingConfig.LearningRate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LanguageModelTrainerTest {
    private static final DecoderShape SHAPE =
            new DecoderShape(27, 16, 2, 4, 2, 4, 24, 32, 10_000, 1e-5, true, Optional.empty());
    private static final DocumentSource WORDS =
            DocumentSource.ofTexts(() ->
                    Stream.iterate(0, i -> i + 1)
                            .map(i ->
                                    i % 3 == 0
                                            ? "alphabet"
                                            : i % 3 == 1 ? "lantern" : "zigzagging"));

    @TempDir Path folder;

    private final AtomicLong clock = new AtomicLong();
    private final Trainer trainer = new Trainer(() -> clock.addAndGet(1_000_000));

    @ParameterizedTest
    @EnumSource
    void theLossFallsWithinThirtySteps(TrainingConfig.Precision precision) throws IOException {
        var losses = new ArrayList<Double>();
        var result =
                trainer.train(
                                run(folder, config(30, 3e-2, precision)),
                                step -> losses.add(step.loss()),
                                () -> false)
                        .orElseThrow();
        assertThat(losses).hasSize(30);
        assertThat(losses.getFirst()).isCloseTo(Math.log(27), within(0.1));
        assertThat(result.loss()).isLessThan(losses.getFirst() / 2);
        assertThat(result.validationLoss()).isLessThan(losses.getFirst() / 2);
        assertThat(result.tokens()).isEqualTo(30 * 4 * 16);
    }

    @Test
    void aKilledAndResumedRunEndsWithTheSameModel() throws IOException {
        var config = config(25, 1e-2, TrainingConfig.Precision.FLOAT32);
        trainer.train(run(folder.resolve("whole"), config), _ -> {}, () -> false).orElseThrow();
        var killed = run(folder.resolve("killed"), config);
        assertThatThrownBy(() ->
                        trainer.train(
                                        killed,
                                        step -> {
                                            if (step.step() == 17) {
                                                throw new Killed();
                                            }
                                        },
                                        () -> false)
                                .orElseThrow())
                .isInstanceOf(Killed.class);
        assertThat(folder.resolve("killed/checkpoint.safetensors")).exists();
        var steps = new ArrayList<Long>();
        trainer.train(killed, step -> steps.add(step.step()), () -> false).orElseThrow();
        assertThat(steps.getFirst()).isEqualTo(11);
        for (var file : new String[] {"model.safetensors", "config.json"}) {
            assertThat(folder.resolve("killed").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve("whole").resolve(file));
        }
        assertThat(lossesOf("killed")).isEqualTo(lossesOf("whole"));
        assertThat(folder.resolve("killed/checkpoint.safetensors")).doesNotExist();
    }

    @Test
    void aStoppedRunReturnsNothingAndGoesOnWithTheNextStep() throws IOException {
        var run = run(folder, config(25, 1e-2, TrainingConfig.Precision.FLOAT32));
        var steps = new ArrayList<Long>();
        assertThat(trainer.train(run, step -> steps.add(step.step()), () -> steps.size() == 13))
                .isEmpty();
        assertThat(folder.resolve("model.safetensors")).doesNotExist();
        trainer.train(run, step -> steps.add(step.step()), () -> false).orElseThrow();
        assertThat(steps).isEqualTo(LongStream.rangeClosed(1, 25).boxed().toList());
    }

    @Test
    void aFinishedModelIsReadBackAsItWasTrained() throws IOException {
        trainer.train(
                        run(folder, config(10, 1e-2, TrainingConfig.Precision.FLOAT32)),
                        _ -> {},
                        () -> false)
                .orElseThrow();
        var directory = new Checkpoint(folder);
        assertThat(ModelConfig.read(directory).decoder()).isEqualTo(SHAPE.decoder());
        try (var tensors = directory.openTensors()) {
            assertThat(tensors.tensor("model.layers.1.self_attn.k_proj.weight").shape())
                    .containsExactly(8L, 16L);
            assertThat(tensors.names()).hasSize(1 + 2 * 9 + 1);
            assertThat(
                            DecoderParameters.of(SHAPE).list().stream()
                                    .flatMap(parameter -> parameter.parts().stream())
                                    .map(Parameter.Part::name))
                    .containsExactlyInAnyOrderElementsOf(tensors.names());
        }
    }

    @Test
    void aStudentLearnsFromATeacher() throws IOException {
        trainer.train(
                        run(
                                folder.resolve("teacher"),
                                config(40, 3e-2, TrainingConfig.Precision.FLOAT32)),
                        _ -> {},
                        () -> false)
                .orElseThrow();
        var plain = config(30, 3e-2, TrainingConfig.Precision.FLOAT32);
        var config =
                withTeacher(
                        plain,
                        new TrainingConfig.Distillation(
                                folder.resolve("teacher"), 1, Divergence.FORWARD_KL));
        var result =
                trainer.train(run(folder.resolve("student"), config), _ -> {}, () -> false)
                        .orElseThrow();
        assertThat(result.validationLoss()).isLessThan(Math.log(27) / 2);
        assertThat(result.measures()).containsOnlyKeys("overlap");
        assertThat(result.measures().get("overlap")).isBetween(0.5, 1.0);
        assertThat(folder.resolve("student/training.json"))
                .content()
                .contains("Distillation[teacher=../teacher, weight=1.0, divergence=FORWARD_KL]")
                .doesNotContain(folder.toString());
    }

    @Test
    void aCheckpointDoesNotSayWhereItLies() {
        var config =
                withTeacher(
                        config(25, 1e-2, TrainingConfig.Precision.FLOAT32),
                        new TrainingConfig.Distillation(
                                folder.resolve("models/teacher"), 0, Divergence.FORWARD_KL));
        assertThat(settings(run(folder.resolve("runs/student"), config)))
                .contains("teacher=../../models/teacher")
                .doesNotContain(folder.toString());
    }

    @Test
    void aDivergingRunSaysAtWhichStepAndWhatToDo() {
        var run = run(folder, config(30, 1e30, TrainingConfig.Precision.FLOAT32));
        assertThatThrownBy(() -> trainer.train(run, _ -> {}, () -> false).orElseThrow())
                .isInstanceOf(OutriderException.class)
                .message()
                .matches(
                        "TRAINING_DIVERGED: step \\d+ has loss \\S+ and gradient norm NaN at"
                                + " learning rate [\\d.E]+; expected finite numbers\n"
                                + "  Lower the learning rate or lengthen the warm-up, and start again"
                                + " in another folder than .*\\.");
    }

    @Test
    void anUnfinishedRunIsNotContinuedWithOtherSettings() {
        var first = run(folder, config(25, 1e-2, TrainingConfig.Precision.FLOAT32));
        assertThatThrownBy(() ->
                        trainer.train(
                                        first,
                                        step -> {
                                            if (step.step() == 12) {
                                                throw new Killed();
                                            }
                                        },
                                        () -> false)
                                .orElseThrow())
                .isInstanceOf(Killed.class);
        var other = run(folder, config(26, 1e-2, TrainingConfig.Precision.FLOAT32));
        assertThatThrownBy(() -> trainer.train(other, _ -> {}, () -> false).orElseThrow())
                .hasMessage(
                        """
                        CONFIG_INVALID: %s holds an unfinished run with other settings, or of a version that writes them otherwise: %s; expected %s
                          Continue with the settings and the version of that run, choose another folder, or delete %s.\
                        """
                                .formatted(
                                        folder,
                                        settings(first),
                                        settings(other),
                                        folder.resolve("checkpoint.safetensors")));
    }

    private static String settings(TrainingPlan run) {
        return Trainer.settings(DecoderLearner.of(run), run.config(), run.folder());
    }

    private List<Double> lossesOf(String run) throws IOException {
        var losses = new ArrayList<Double>();
        for (var line : Files.readAllLines(folder.resolve(run).resolve("loss-curve.jsonl"))) {
            losses.add(new ObjectMapper().readTree(line).get("loss").asDouble());
        }
        return losses;
    }

    private static TrainingConfig config(
            int steps, double rate, TrainingConfig.Precision precision) {
        return new TrainingConfig(
                5,
                4,
                16,
                new LearningRate(rate, 0.1, 3, steps),
                TrainingConfig.Optimizer.standard(),
                precision,
                1,
                10,
                3,
                10,
                Optional.empty(),
                1,
                Optional.empty(),
                Optional.empty());
    }

    private static TrainingConfig withTeacher(
            TrainingConfig config, TrainingConfig.Distillation teacher) {
        return new TrainingConfig(
                config.seed(),
                config.rows(),
                config.contextTokens(),
                config.learningRate(),
                config.optimizer(),
                config.precision(),
                config.threads(),
                config.validateEvery(),
                config.validationRows(),
                config.checkpointEvery(),
                Optional.of(teacher),
                1,
                Optional.empty(),
                Optional.empty());
    }

    private static TrainingPlan run(Path folder, TrainingConfig config) {
        return new TrainingPlan(
                SHAPE,
                config,
                new DocumentEncoder(new LetterEncoder(), Optional.empty()),
                WORDS,
                WORDS,
                folder,
                TrainingPlan.Storage.FLOAT32,
                Optional.empty(),
                Map.of(),
                Optional.empty());
    }

    /// Simulates the end of the process.
    private static final class Killed extends RuntimeException {}
}
