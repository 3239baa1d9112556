package dev.outrider.drafter.medusa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.training.Divergence;
import dev.outrider.training.TrainingProgress;
import dev.outrider.training.TrainingResult;
import dev.outrider.training.head.TokenHeads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Heads that are trained on a target with predictable text learn to predict the later tokens, and load like any checkpoint.
class MedusaLearnerTest {
    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({"OWN, TEXT, 1", "TARGET, TEXT, 2", "OWN, TARGET, 1", "TARGET, TARGET, 1"})
    void headsLearnWhatFollowsAndAreReadBack(
            TokenHeads.Projection projection, TokenHeads.Labels labels, int layers)
            throws IOException {
        var plan = new TokenHeads.Plan(3, layers, projection, labels, 0.8, Divergence.FORWARD_KL);
        var losses = new ArrayList<Double>();
        var accuracies = List.of("accuracyHead0", "accuracyHead1", "accuracyHead2");
        var withTargets = new ArrayList<>(accuracies);
        withTargets.addAll(List.of("agreement1", "agreement2", "agreement3"));
        withTargets.addAll(List.of("acceptance1", "acceptance2", "acceptance3"));

        var result = train(plan, step -> losses.add(step.loss())).orElseThrow();

        assertThat(result.validationLoss()).isLessThan(losses.getFirst());
        assertThat(result.measures().keySet())
                .containsExactlyElementsOf(
                        switch (labels) {
                            case TEXT -> accuracies;
                            case TARGET -> withTargets;
                        });
        assertThat(accuracies).allMatch(name -> result.measures().getOrDefault(name, 0.0) > 0.95);
        assertThat(withTargets.subList(3, 6))
                .allMatch(name -> result.measures().getOrDefault(name, 1.0) > 0.95);
        try (var heads =
                MedusaCheckpoint.open(folder.resolve("heads"), Cycle.TOKENS, Cycle.TOKENS)) {
            assertThat(heads.sizes().heads()).isEqualTo(3);
            assertThat(heads.sizes().layers()).isEqualTo(layers);
            assertThat(heads.sizes().projection())
                    .isEqualTo(
                            switch (projection) {
                                case OWN -> VectorHeads.Projection.PER_HEAD;
                                case TARGET -> VectorHeads.Projection.TARGET;
                            });
        }
    }

    @Test
    void theReportSaysWhatWasTrainedOnWhichTarget() throws IOException {
        var plan =
                new TokenHeads.Plan(
                        2,
                        1,
                        TokenHeads.Projection.TARGET,
                        TokenHeads.Labels.TEXT,
                        0.8,
                        Divergence.FORWARD_KL);
        assertThat(train(plan, _ -> {})).isPresent();
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
        var plan =
                new TokenHeads.Plan(
                        12,
                        1,
                        TokenHeads.Projection.TARGET,
                        TokenHeads.Labels.TEXT,
                        0.8,
                        Divergence.FORWARD_KL);
        assertThatThrownBy(() -> train(plan, _ -> {}))
                .hasMessage("contextTokens (12) must exceed the number of heads (12)");
    }

    private Optional<TrainingResult> train(TokenHeads.Plan plan, TrainingProgress progress)
            throws IOException {
        var run = new CycleRun(folder);
        return run.train(new MedusaTraining(run.keys(), plan), progress);
    }
}
