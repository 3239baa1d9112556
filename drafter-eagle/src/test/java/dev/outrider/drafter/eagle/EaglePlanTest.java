package dev.outrider.drafter.eagle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.training.Divergence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests which training plans are refused.
class EaglePlanTest {
    @TempDir private Path folder;

    @Test
    void plansThatDoNotFitAreRefused() throws IOException {
        assertThatThrownBy(() ->
                        new EaglePlan(
                                1,
                                1,
                                1,
                                List.of(),
                                new EaglePlan.Form(true, false, 0),
                                3,
                                0.8,
                                Divergence.FORWARD_KL))
                .hasMessage(
                        "'fcNorm', 'normOutput' and 'draftVocabulary' are for EAGLE-3, not for generation 1");
        var whole =
                new EaglePlan(
                        3,
                        1,
                        1,
                        List.of(0, 2, 3),
                        new EaglePlan.Form(false, false, CountingTarget.TOKENS),
                        3,
                        0.8,
                        Divergence.FORWARD_KL);
        var counting = new CountingTarget(folder);
        counting.train(20);
        assertThatThrownBy(() -> counting.train("whole", whole, 20))
                .hasMessage(
                        "draftVocabulary (24) must be below the target's 24 tokens, or 0 for all");
    }

    @Test
    void plansThatCannotBeReadBackAreRefused() {
        assertThatThrownBy(() ->
                        new EaglePlan(
                                3,
                                1,
                                1,
                                List.of(1, 2, 3),
                                EaglePlan.Form.PLAIN,
                                3,
                                0.8,
                                Divergence.FORWARD_KL))
                .hasMessageContaining("that do not begin with 1");
        assertThatThrownBy(() ->
                        new EaglePlan(
                                2,
                                1,
                                1,
                                List.of(),
                                EaglePlan.Form.PLAIN,
                                3,
                                0.8,
                                Divergence.FORWARD_KL))
                .hasMessage("'generation' must be 1 or 3, got 2");
    }
}
