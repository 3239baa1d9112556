package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlanCommandTest {
    @Test
    void showsEveryLengthAndMarksTheBest() {
        var run = Run.of("plan", "--alpha", "0.8", "--cost", "0.25", "--max-length", "4");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .isEqualTo(
                        """
                        K  tokens  speedup
                        1    1.80    1.44x
                        2    2.44    1.63x
                        3    2.95    1.69x  best
                        4    3.36    1.68x
                        Best draft length 3: 1.69x, 2.95 tokens a round.
                        """);
    }

    @Test
    void showsTheBestLengthEvenBeyondTheTable() {
        var run = Run.of("plan", "-a", "0.8", "-c", "0.05", "--max-length", "1");

        assertThat(run.out())
                .isEqualTo(
                        """
                        K  tokens  speedup
                        1    1.80    1.71x
                        8    4.33    3.09x  best
                        Best draft length 8: 3.09x, 4.33 tokens a round.
                        """);
    }

    @Test
    void saysWhenDraftingDoesNotPay() {
        assertThat(Run.of("plan", "-a", "0.2", "-c", "0.5").out())
                .endsWith("Drafting does not pay: alpha 0.2 must exceed c 0.5 for any gain.\n");
    }

    @Test
    void refusesARateThatIsNone() {
        var run = Run.of("plan", "--alpha", "1.5", "--cost", "0.1");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .isEqualTo(
                        """
                        USAGE: --alpha is 1.5, expected 0 to 1
                          Run 'outrider plan --help' for what it takes, with examples.
                        """);
    }
}
