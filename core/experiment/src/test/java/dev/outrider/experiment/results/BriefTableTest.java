package dev.outrider.experiment.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.common.ShapedPath;
import dev.outrider.experiment.results.Report.Coverage;
import dev.outrider.experiment.run.ComparisonResult.FailedPrompt;
import dev.outrider.experiment.run.ComparisonResult.Mismatch;
import dev.outrider.experiment.stats.CostPoint;
import dev.outrider.experiment.stats.SequentialTest.InterimAnalysis;
import dev.outrider.experiment.table.RankingTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BriefTableTest {
    private static final ShapedPath SHAPED =
            new ShapedPath(Path.of("models/demo-target"), "tinyllama-1.1b");

    @TempDir private Path folder;

    @Test
    void fitsAScreenAndSaysWhichIsFastestAndWhereTheRestIs() throws IOException {
        assertThat(brief(report(4, 7)).text())
                .isEqualTo(
                        """
                        Which table is the fastest?

                        variant  tokens/s   speedup            tokens/round  accept  draft length  draft cost  losslessness  exactness test
                        plain    1000000.0  1                  1.00          -       -             -           -             -
                        chain 1  895795.2   0.83 [0.79, 1.14]  1.26          0.214   2.8           0.100       greedy-equal  ids equal 7/7
                        chain 2  1187878.8  1.12 [1.07, 1.33]  1.69          0.448   2.9           0.100       greedy-equal  ids equal 7/7
                        chain 3  1587473.0  1.65 [1.33, 1.83]  2.26          0.656   2.9           0.100       greedy-equal  ids equal 7/7
                        chain 4  2275541.8  2.16 [2.13, 2.50]  3.20          0.902   2.8           0.100       greedy-equal  ids equal 7/7

                        Fastest: chain 4, 2.28 times plain decoding [1.98, 2.63].
                        The verdict's ratios are geometric means, with 95 % intervals for all pairs together; those of 'speedup' are medians, each interval for one variant alone, not corrected for the others.
                        7 of 7 prompts, 2 repetitions. A target pass costs t(n)/t(1) = 1.05 for 2, 1.10 for 3, 1.15 for 4 rows.
                        The text is that of demo-target, at the costs of tinyllama-1.1b.

                        Page: results/fake/report.html
                        Details: results/fake/table.txt, printed with --details
                        """);
    }

    @Test
    void staysShortWhateverWentWrong() throws IOException {
        assertThat(brief(troubled(report(4, 7))).text().lines().count()).isLessThanOrEqualTo(25);
        String fifteen = brief(troubled(report(15, 7))).text();
        assertThat(fifteen.lines().count()).isLessThanOrEqualTo(36);
        assertThat(fifteen)
                .contains("'chain 1' differs from plain decoding on prompt 'p1' at output token 3")
                .contains("\nFurther warnings with --details: 5\n")
                .containsPattern(
                        "interrupted after \\d+ generations: what was measured until then");
    }

    @Test
    void detailsHaveWhatTheShortTableLeavesOut() throws IOException {
        var details = TextTable.of(report(4, 7));
        assertThat(details)
                .contains(
                        "  expected  formula  ",
                        "\nper position\n",
                        "\nwhich is fastest, on the same prompts\n",
                        "\nrow / column  ",
                        "\ncost of the target's pass\n",
                        "\n95 % of ms  [",
                        "\npasses      ",
                        "\ndiagnose\n",
                        "best K: the draft length",
                        "\nP(best)  ",
                        "\nspeedup  ");
    }

    @Test
    void tooFewPromptsGiveNoRankingAndNoIntervalAsWideAsNumbersGo() throws IOException {
        var report = report(2, 5);
        assertThat(brief(report).text())
                .contains(
                        "Fewer than 6 independent prompts: which variant is the fastest is said from 6 on.")
                .doesNotContain("geometric means");
        assertThat(TextTable.of(report))
                .contains(
                        "which is fastest, on the same prompts\nFewer than 6 independent prompts: ")
                .doesNotContain("row / column", "\nvariant  P(best)");
    }

    @Test
    void theDocumentHasEveryColumnOfEveryVariantAndTheVerdict() throws IOException {
        var document = new ObjectMapper().readTree(brief(report(2, 7)).json());
        assertThat(document.get("format").asInt()).isEqualTo(1);
        assertThat(document.get("variants")).hasSize(3);
        assertThat(document.at("/variants/0/variant").asText()).isEqualTo("plain");
        assertThat(document.at("/variants/1/speedup/value").isNumber()).isTrue();
        assertThat(document.at("/verdicts/0/verdict").asText()).startsWith("Fastest: ");
        assertThat(document.get("page").asText()).endsWith("report.html");
    }

    @Test
    void theVerdictNamesThePairThatMorePromptsWouldDecideBetween() throws IOException {
        assertThat(verdict(.5, .55))
                .matches(
                        "Not told apart: chain 1, chain 2 \\(chain [12], [0-9.]+ times plain decoding \\[.*]\\);"
                                + " about [0-9]+ more prompts would decide between chain ([12]) and chain (?!\\1)[12]\\.");
        assertThat(verdict(.8, .8))
                .startsWith("Tied for fastest, within 2 %: chain 1, chain 2 (chain 1, ");
        assertThat(verdict(0, 0))
                .matches("Nothing beats plain decoding here: chain 1, 0[0-9.]+ times .*]\\.");
    }

    @Test
    void saysOfABatchThatAPassIsSharedAndOfACurveThatPointsAreLeftOut() throws IOException {
        var report = report(2, 2);
        var points =
                IntStream.rangeClosed(1, 8)
                        .mapToObj(i ->
                                new CostPoint(
                                        i, 9 - i, i, i, OptionalDouble.empty(), Optional.empty()))
                        .toList();
        var batch =
                with(
                        report,
                        new Coverage(false, 2, 2, 1, 2, Optional.empty(), Optional.empty()),
                        List.of(),
                        List.of(),
                        points,
                        Optional.empty());
        assertThat(brief(batch).text())
                .contains(" A sequence's share of a target pass costs t(n)/t(1) = 2.00 for 2, ")
                .contains(
                        ", 7.00 for 7 rows (under 5 passes for 5, 6, 7) (more with --details).\n");
    }

    @Test
    void saysWhichVerdictIsOfWhichTemperature() throws IOException {
        var brief = brief(ResultReader.report(WrittenResults.in(folder)));
        assertThat(brief.text())
                .contains("\nvariant       T     tokens/s", "\nT = 0: ", "\nT = 1: ");
        assertThat(new ObjectMapper().readTree(brief.json()).at("/verdicts/1/baseline").asText())
                .isEqualTo("plain, T = 1");
    }

    @Test
    void saysWhichVerdictIsOfWhichSampling() throws IOException {
        var yaml =
                WrittenResults.YAML.replace(
                        "tree: 3}",
                        "tree: 3, sampling: {temperature: 1}}\n    sampling: {temperature: 1, topP: 0.9}");
        var results = WrittenResults.in(folder, yaml, WrittenResults.PROMPTS);
        assertThat(brief(ResultReader.report(results)).text())
                .contains("\nT = 1, top-p 0.9: ", "\nT = 1: ")
                .doesNotContain("sampling with");
    }

    @Test
    void namesTheSamplingThatAllVariantsShare() throws IOException {
        var yaml =
                """
                name: fake
                target: table
                prompts: {file: PROMPTS}
                maxTokens: 21
                repetitions: 2
                sampling: {temperature: 1, topK: 2}
                variants:
                  - name: chain
                    drafter: {use: table, tree: 3, sampling: {temperature: 1}}
                """;
        var results = WrittenResults.in(folder, yaml, WrittenResults.PROMPTS);
        assertThat(brief(ResultReader.report(results)).text())
                .contains(", sampling with T = 1, top-k 2");
    }

    @Test
    void saysHowToGoOnOrThatTheSourceHasNoMore() throws IOException {
        var report = report(7, List.of(.5, .55));
        assertThat(brief(report).text())
                .containsPattern(
                        "chain [12]\\. With --set prompts\\.limit=24 they are measured\\.\n");
        assertThat(of(report, Collections.nCopies(9, 1)))
                .contains(" The source has only 9 prompts.\n")
                .doesNotContain("The text is that of");
        assertThat(brief(troubled(report)).text()).doesNotContain("prompts.limit");
    }

    /// A limit counts texts, a comparison counts turns.
    @Test
    void saysHowManyConversationsHaveAsManyTurns() throws IOException {
        var report = report(7, List.of(.5, .55));
        assertThat(of(report, Collections.nCopies(11, 2)))
                .contains(" The source has only 22 prompts.\n");
        assertThat(of(report, Collections.nCopies(12, 2)))
                .contains(" With --set prompts.limit=12 they are measured.\n");
        assertThat(of(report, Collections.nCopies(9, 3)))
                .contains(" With --set prompts.limit=8 they are measured.\n");
    }

    private String of(Report report, List<Integer> source) {
        return new BriefTable(report, "t@home", folder, source).text();
    }

    private String verdict(double first, double second) throws IOException {
        return RankingTables.of(report(7, List.of(first, second)).variants())
                .getFirst()
                .conclusion();
    }

    private BriefTable brief(Report report) {
        return new BriefTable(
                with(
                        report,
                        report.coverage(),
                        report.failures(),
                        report.mismatches(),
                        report.costCurve(),
                        report.interimAnalysis()),
                "demo-target",
                Path.of("results/fake"),
                Collections.nCopies(25, 1));
    }

    /// Variants that agree with the target more and more often.
    private Report report(int variants, int prompts) throws IOException {
        return report(
                prompts,
                IntStream.rangeClosed(1, variants).mapToObj(i -> .9 * i / variants).toList());
    }

    private Report report(int prompts, List<Double> agreements) throws IOException {
        String yaml =
                """
                name: fake
                question: Which table is the fastest?
                target: table
                prompts: {file: PROMPTS}
                maxTokens: 21
                repetitions: 2
                variants:
                """
                        + IntStream.rangeClosed(1, agreements.size())
                                .mapToObj(i ->
                                        """
                                          - name: chain %d
                                            drafter: {use: table, agreement: %s, tree: 3}
                                        """
                                                .formatted(i, agreements.get(i - 1)))
                                .collect(Collectors.joining());
        String lines =
                IntStream.range(0, prompts)
                        .mapToObj(i -> "{\"prompt\": \"%s\"}\n".formatted("ab".repeat(1 + i)))
                        .collect(Collectors.joining());
        return ResultReader.report(WrittenResults.in(folder, yaml, lines));
    }

    private static Report troubled(Report report) {
        var mismatches =
                IntStream.rangeClosed(1, 4)
                        .mapToObj(i -> new Mismatch("chain 1", "p" + i, 3, 4, 5, .1, false))
                        .toList();
        var failures =
                IntStream.rangeClosed(1, 4)
                        .mapToObj(i -> new FailedPrompt("q" + i, "chain 2", "it is\npoisoned"))
                        .toList();
        return with(
                report,
                new Coverage(true, 7, 11, 2, 1, Optional.empty(), Optional.empty()),
                failures,
                mismatches,
                report.costCurve(),
                Optional.of(new InterimAnalysis(2, 1, 11, InterimAnalysis.End.INTERRUPTED)));
    }

    /// A report on a target in another model's shape.
    private static Report with(
            Report report,
            Coverage coverage,
            List<FailedPrompt> failures,
            List<Mismatch> mismatches,
            List<CostPoint> costCurve,
            Optional<InterimAnalysis> interimAnalysis) {
        return new Report(
                report.format(),
                report.question(),
                Optional.of(SHAPED.label()),
                coverage,
                report.variants(),
                report.kinds(),
                failures,
                mismatches,
                costCurve,
                interimAnalysis,
                report.definitions());
    }
}
