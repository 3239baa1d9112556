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
    void saysWhatRowsWake() {
        assertThat(Run.of("plan", "--experts", "8", "--top-k", "2", "--rows", "5").out())
                .isEqualTo(
                        """
                        rows  experts
                        1        2.00
                        2        3.50
                        3        4.63
                        4        5.47
                        5        6.10
                        """);
    }

    @Test
    void chargesForTheExpertsThatGuessesWake() {
        var run =
                Run.of(
                        "plan",
                        "-a",
                        "0.8",
                        "-c",
                        "0.05",
                        "--experts",
                        "8",
                        "--top-k",
                        "2",
                        "--expert-share",
                        "0.5",
                        "--rows",
                        "3",
                        "--max-length",
                        "2");
        assertThat(run.out())
                .isEqualTo(
                        """
                        K  tokens  speedup
                        1    1.80    1.26x
                        2    2.44    1.39x
                        8    4.33    1.57x  best
                        Best draft length 8: 1.57x, 4.33 tokens a round.

                        rows  experts  t(n)/t(1)
                        1        2.00       1.00
                        2        3.50       1.38
                        3        4.63       1.66
                        """);
        assertThat(
                        Run.of(
                                        "plan",
                                        "-a",
                                        "0.5",
                                        "-c",
                                        "0.1",
                                        "--experts",
                                        "128",
                                        "--top-k",
                                        "8",
                                        "--expert-share",
                                        "0.9")
                                .out())
                .contains(
                        "Drafting does not pay: the experts that guesses wake cost more than the guesses save.");
    }

    @Test
    void refusesAPlanOfNothing() {
        assertThat(Run.of("plan").err())
                .contains("'--alpha=<alpha>' and '--cost=<cost>', or '--experts=<experts>'");
        assertThat(Run.of("plan", "--experts", "2", "--top-k", "3").err())
                .contains("--top-k is 3, expected 1 to 2");
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
