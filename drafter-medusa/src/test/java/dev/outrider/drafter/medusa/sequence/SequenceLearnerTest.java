package dev.outrider.drafter.medusa.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.medusa.CycleRun;
import dev.outrider.drafter.medusa.sequence.RedrafterTraining.Recurrence;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.SequenceHeads;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.network.Precision;
import dev.outrider.training.Divergence;
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

/// Heads that learn to count with the target's tokens also count after they were written and read: training computes the same as
/// drafting.
class SequenceLearnerTest {
    private static final int GUESSES = 3;

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({"OWN, TARGET, 1", "TARGET, TEXT, 2", "TARGET, TARGET, 1"})
    void hydraLearnsWhatFollowsAndIsReadBack(
            TokenHeads.Projection projection, TokenHeads.Labels labels, int layers)
            throws IOException {
        var run = new CycleRun(folder);
        var result =
                run.train(new HydraTraining(run.keys(), plan(projection, labels, layers)), _ -> {})
                        .orElseThrow();

        assertThat(result.measures().get("accuracyHead2")).isGreaterThan(0.95);
        int tokens = CycleRun.tokens();
        try (var checkpoint = HydraCheckpoint.open(run.heads(), tokens, tokens)) {
            assertThat(checkpoint.sizes().heads()).isEqualTo(GUESSES);
            assertThat(checkpoint.sizes().blocks()).isEqualTo(layers);
            assertCounts(
                    target ->
                            checkpoint.load(
                                    GUESSES,
                                    new HeadMatrices(checkpoint.matrices(), Precision.F32),
                                    target),
                    GUESSES);
        }
    }

    @ParameterizedTest
    @CsvSource({"OWN, TARGET, true, 0", "OWN, TARGET, false, 0", "TARGET, TEXT, true, 24"})
    void aRecurrentHeadLearnsWhatFollowsAndIsReadBack(
            TokenHeads.Projection projection, TokenHeads.Labels labels, boolean rnn, int exit)
            throws IOException {
        var run = new CycleRun(folder);
        var recurrence = new Recurrence(rnn, exit == 0 ? Optional.empty() : Optional.of(exit));
        var result =
                run.train(
                                new RedrafterTraining(
                                        run.keys(), plan(projection, labels, 1), recurrence),
                                _ -> {})
                        .orElseThrow();

        assertThat(result.measures().get("accuracyHead2")).isGreaterThan(0.95);
        int tokens = CycleRun.tokens();
        try (var checkpoint = RedrafterCheckpoint.open(run.heads(), tokens, tokens)) {
            assertCounts(target -> checkpoint.load(GUESSES, Precision.F32, target), GUESSES);
        }
    }

    @Test
    void theTargetsProjectionReadsTheHiddenSizeAlone() {
        var run = new CycleRun(folder);
        var settings =
                new RedrafterTraining(
                        run.keys(),
                        plan(TokenHeads.Projection.TARGET, TokenHeads.Labels.TEXT, 1),
                        new Recurrence(true, Optional.empty()));
        assertThatThrownBy(() -> run.train(settings, _ -> {}))
                .hasMessage(
                        "the target's projection reads 24 numbers, but 'recurrence.exitSize' is 48");
    }

    private static TokenHeads.Plan plan(
            TokenHeads.Projection projection, TokenHeads.Labels labels, int layers) {
        return new TokenHeads.Plan(GUESSES, layers, projection, labels, 0.8, Divergence.FORWARD_KL);
    }

    private interface Loaded {
        SequenceHeads on(TargetWeights target);
    }

    /// The test starts from every token: the root is the next token, and the guesses continue to count.
    private void assertCounts(Loaded loaded, int guesses) {
        try (var target = new Counting(folder.resolve("target"));
                var heads = loaded.on(target)) {
            int tokens = CycleRun.tokens();
            var wrong = new ArrayList<String>();
            for (int before = 0; before < tokens; before++) {
                int token = CycleRun.after(before, 1);
                var state =
                        heads.after(List.of(heads.start(target.hidden(before))), new int[] {token})
                                .getFirst();
                for (int guess = 0; guess < guesses; guess++) {
                    var logits = new float[tokens];
                    heads.logits(guess, List.of(state), logits);
                    token = best(logits);
                    if (token != CycleRun.after(before, guess + 2)) {
                        wrong.add("guess %d after %d".formatted(guess, before));
                    }
                    state = heads.after(List.of(state), new int[] {token}).getFirst();
                }
            }
            assertThat(wrong).hasSizeLessThanOrEqualTo(2);
        }
    }

    private static int best(float[] logits) {
        int best = 0;
        for (int token = 1; token < logits.length; token++) {
            best = logits[token] > logits[best] ? token : best;
        }
        return best;
    }
}
