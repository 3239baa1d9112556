package dev.outrider.cli;

import static dev.outrider.cli.Shipped.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests `bench --until-decided`, `bench --dry-run` and `--costs-of`, on the tiny models.
class WhichIsFastestTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String YAML =
            """
            name: fastest
            question: Which is fastest?
            target: {use: vector, path: %1$s/models/tiny-target}
            prompts: {file: %1$s/configs/prompts/held-out.jsonl, limit: 6}
            maxTokens: 8
            repetitions: 1
            warmup: 0
            variants:
              - name: model
                drafter: {use: small-model, path: %1$s/models/tiny-draft, length: 3}
              - name: heads
                drafter: {use: medusa, path: %1$s/models/tiny-medusa, length: 3}
            """;

    @TempDir private Path folder;
    private Path config = Path.of("");

    @BeforeEach
    void write() throws IOException {
        config = Files.writeString(folder.resolve("fastest.yaml"), YAML.formatted(ROOT));
    }

    @Test
    void goesOnUntilTheBudgetIsSpentAndComparesEverySideWithEveryOther() throws IOException {
        var run = bench("--until-decided", "7", "--details");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("which is fastest, on the same prompts")
                .containsPattern(
                        "Continued until decided: look [12] of at most 2, at most 7 prompts");
        var summary = json("summary.json");
        assertThat(summary).hasSize(3);
        double together = 0;
        for (var side : summary) {
            together += side.at("/ranking/probabilityBest").asDouble();
            assertThat(side.at("/ranking/against")).hasSize(2);
            assertThat(side.at("/ranking/against/0/ratio/low").isNumber()).isTrue();
            assertThat(side.has("evidence")).isTrue();
        }
        assertThat(together).isBetween(.999, 1.001);
        assertThat(json("details.json").at("/interimAnalysis/planned").asInt()).isEqualTo(2);
        assertThat(Files.readString(results().resolve("report.html")))
                .contains("Which is fastest", "Every pair");
        assertThat(Files.readString(results().resolve("report/report.md")))
                .contains("## Which is fastest", "| plain |");
    }

    @Test
    void aBudgetIsANumberOrATime() {
        var run = bench("--until-decided", "soon");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .contains(
                        "'soon' is neither a number of prompts, such as 80, nor a time, such as 15m or 1h30m");
    }

    @Test
    void aDryRunSaysWhatWouldRunAndMeasuresNothing() {
        var run = bench("--dry-run");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .containsPattern("model +small-model +")
                .containsPattern("heads +medusa +")
                .containsPattern("6 prompts, 1 repetitions: about .* on this machine");
        assertThat(folder.resolve("results")).doesNotExist();
    }

    @Test
    void theSameRoundsAtCostsOfAFileAndOfAnotherRun() throws IOException {
        var file =
                Files.writeString(
                        folder.resolve("costs.yaml"),
                        """
                        target: {rows: [1, 4], millis: [50, 50]}
                        drafters:
                          - {name: small-model, step: 0}
                          - {name: medusa, round: 5000}
                        engine: 0
                        """);
        var run = bench("--costs-of", file.toString());
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("at other costs: " + file + " (typed in)", "t(n): 1: 50.00 ms")
                .containsPattern("heads .* loses ")
                .contains("Prefill is left out.");
        var costs = json("report/costs.json");
        assertThat(costs.at("/variants")).hasSize(3);
        assertThat(Files.readString(results().resolve("report.html"))).contains("At other costs");

        var itself = report(results().toString());
        assertThat(itself.exitCode()).as(itself.err()).isEqualTo(ExitCode.OK);
        assertThat(itself.out())
                .contains("The order is the same as at the costs of the run itself.");
    }

    /// The command refuses before it decodes.
    @Test
    void aBenchWithCostsOfNothingDoesNotRun() {
        assertThat(bench("--costs-of", "nowhere").err())
                .startsWith("USAGE: --costs-of is 'nowhere'");
        assertThat(folder.resolve("results")).doesNotExist();
    }

    @Test
    void costsThatAreNoneAreRefused() throws IOException {
        bench();
        assertThat(report("nowhere").err())
                .startsWith(
                        "USAGE: --costs-of is 'nowhere', which is no folder of results and no file");
        var wrong =
                Files.writeString(
                        folder.resolve("wrong.yaml"), "target: {rows: [2, 1], millis: [1, 2]}\n");
        assertThat(report(wrong.toString()).err())
                .contains("CONFIG_INVALID", "rows [2, 1] do not increase");
        var stranger =
                Files.writeString(
                        folder.resolve("stranger.yaml"),
                        "target: {rows: [1], millis: [1]}\ndrafters: [{name: x, step: 1}]\n");
        assertThat(report(stranger.toString()).err())
                .contains("CONFIG_INVALID", "drafters names 'x', which is neither a variant");
    }

    private Run report(String place) {
        return Run.of("report", results().toString(), "--costs-of", place);
    }

    private Run bench(String... more) {
        var arguments =
                new ArrayList<>(
                        List.of(
                                "bench",
                                config.toString(),
                                "--out",
                                folder.resolve("results").toString()));
        arguments.addAll(List.of(more));
        return Run.of(arguments.toArray(String[]::new));
    }

    private Path results() {
        return folder.resolve("results/fastest/latest");
    }

    private JsonNode json(String name) throws IOException {
        return JSON.readTree(results().resolve(name).toFile());
    }
}
