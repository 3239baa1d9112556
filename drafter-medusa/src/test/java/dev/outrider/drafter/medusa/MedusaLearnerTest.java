package dev.outrider.drafter.medusa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.training.DocumentSource;
import dev.outrider.training.LearningRate;
import dev.outrider.training.TextEncoder;
import dev.outrider.training.Trainer;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingJob;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.TrainingProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Heads trained on a target that says what follows learn to say what follows later, and load as any checkpoint does.
class MedusaLearnerTest {
    @TempDir Path folder;

    @BeforeEach
    void writeTarget() throws IOException {
        Cycle.write(Files.createDirectories(folder.resolve("target")));
    }

    @ParameterizedTest
    @CsvSource({"OWN, TEXT, 1", "TARGET, TEXT, 2", "OWN, TARGET, 1", "TARGET, TARGET, 1"})
    void headsLearnWhatFollowsAndAreReadBack(
            HeadPlan.Projection projection, HeadPlan.Labels labels, int layers) throws IOException {
        var plan = new HeadPlan(3, layers, projection, labels, 0.8);
        var losses = new ArrayList<Double>();

        var result = train(plan, step -> losses.add(step.loss())).orElseThrow();

        assertThat(result.validationLoss()).isLessThan(losses.getFirst());
        assertThat(result.measures().keySet())
                .containsExactly("accuracyHead0", "accuracyHead1", "accuracyHead2");
        assertThat(result.measures().values()).allMatch(accuracy -> accuracy > 0.95);
        try (var heads = HeadCheckpoint.open(folder.resolve("heads"), Cycle.TOKENS, Cycle.TOKENS)) {
            assertThat(heads.heads()).isEqualTo(3);
            assertThat(heads.layers()).isEqualTo(layers);
            assertThat(heads.projection())
                    .isEqualTo(
                            switch (projection) {
                                case OWN -> Projection.PER_HEAD;
                                case TARGET -> Projection.TARGET;
                            });
        }
    }

    @Test
    void theReportSaysWhatWasTrainedOnWhichTarget() throws IOException {
        var plan = new HeadPlan(2, 1, HeadPlan.Projection.TARGET, HeadPlan.Labels.TEXT, 0.8);
        assertThat(train(plan, TrainingProgress.silent())).isPresent();
        try (var target = new Checkpoint(folder.resolve("target")).openTensors()) {
            assertThat(folder.resolve("heads/training.json"))
                    .content()
                    .contains(
                            "\"target\" : \"target\"",
                            "\"targetDigest\" : \"" + target.digest() + "\"",
                            "\"heads\" : \"" + plan + "\"",
                            "\"accuracyHead1\" : ");
        }
    }

    @Test
    void rowsTooShortForTheLastHeadAreRefused() {
        var plan = new HeadPlan(12, 1, HeadPlan.Projection.TARGET, HeadPlan.Labels.TEXT, 0.8);
        assertThatThrownBy(() -> train(plan, TrainingProgress.silent()))
                .hasMessage("contextTokens (12) must exceed the number of heads (12)");
    }

    private Optional<Trainer.Result> train(HeadPlan plan, TrainingProgress progress)
            throws IOException {
        var config =
                new TrainingConfig(
                        2,
                        4,
                        12,
                        new LearningRate(0.05, 0.2, 2, 60),
                        TrainingConfig.Optimizer.standard(),
                        TrainingConfig.Precision.FLOAT32,
                        1,
                        50,
                        4,
                        100,
                        Optional.empty());
        var settings =
                new MedusaTraining(
                        folder.resolve("heads"),
                        folder.resolve("target"),
                        ElementType.F32,
                        "end",
                        1,
                        Optional.empty(),
                        TrainingPlan.Storage.FLOAT32,
                        plan,
                        config);
        var job =
                new TrainingJob(
                        config, new CycleEncoder(), texts(0), texts(5), settings.out(), Map.of());
        try (var learner = settings.learner(job.training())) {
            return new Trainer(() -> 0).train(job, learner, progress, () -> false);
        }
    }

    private static DocumentSource texts(int first) {
        return DocumentSource.ofTexts(
                () -> Stream.iterate(first, start -> start + 1).map(String::valueOf));
    }

    /// A text is the number it starts to count from.
    private record CycleEncoder() implements TextEncoder {
        @Override
        public int[] encode(String text) {
            int start = Integer.parseInt(text) % Cycle.TOKENS;
            var tokens = new int[20];
            for (int i = 0; i < tokens.length; i++) {
                tokens[i] = Cycle.after(start, i);
            }
            return tokens;
        }

        @Override
        public int vocabularySize() {
            return Cycle.TOKENS;
        }

        @Override
        public int endOfText() {
            return 0;
        }
    }
}
