package dev.outrider.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.run.GenerationRecord.Line;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FormatComparisonTest {
    /// The second repetition takes twice as long and has other ids; a prompt that only one of the two has does not count.
    @Test
    void everyRepetitionHasItsOwnPartner() {
        var original =
                List.of(
                        line("plain", "p", 0, 100, 1, 2, 3, 4),
                        line("plain", "p", 1, 200, 1, 2, 5, 6),
                        line("d", "p", 0, 50, 1, 2, 3, 4),
                        line("plain", "q", 0, 9000, 7, 7, 7, 7));
        var other =
                List.of(
                        line("plain", "p", 0, 50, 1, 2, 3, 9),
                        line("plain", "p", 1, 100, 1, 2, 5, 6),
                        line("d", "p", 0, 25, 1, 2, 3, 9),
                        line("d", "p", 1, 25, 1, 2, 5, 6),
                        line("plain", "r", 0, 9000, 8, 8, 8, 8));

        assertThat(FormatComparison.shown("int8", original, other, true).lines())
                .containsExactly(
                        "d in int8: 6.00 times plain decoding as in the file",
                        "plain in int8: 2.00 times plain decoding as in the file",
                        "int8 changes the output: 87 % of the tokens come before the first difference");
        assertThat(FormatComparison.shown("int8", original, other, false)).doesNotContain("%");
    }

    @Test
    void nothingIsSaidWithoutAPromptThatBothHave() {
        var original = List.of(line("plain", "p", 0, 100, 1, 2));
        var other = List.of(line("plain", "q", 0, 50, 1, 2), line("d", "q", 0, 25, 1, 2));

        assertThat(FormatComparison.shown("int8", original, other, true)).isEmpty();
    }

    private static Line line(
            String variant, String prompt, int repetition, long nanos, Integer... ids) {
        return new Line(
                variant,
                prompt,
                "digest",
                Optional.empty(),
                "words",
                repetition,
                ids.length,
                List.of(ids),
                nanos,
                List.of());
    }
}
