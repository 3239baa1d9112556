package dev.outrider.cli;

import static dev.outrider.cli.Shipped.QUICKSTART;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `outrider bench` and `outrider report` on the shipped models.
class BenchCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir private Path folder;

    @Test
    void comparesAndKeepsTheResults() throws IOException {
        var run =
                Run.of(
                        "bench",
                        QUICKSTART,
                        "--out",
                        folder.toString(),
                        "--check",
                        "--set",
                        "prompts.limit=2",
                        "--set",
                        "maxTokens=12",
                        "--set",
                        "repetitions=1",
                        "--set",
                        "warmup=0");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("plain ")
                .contains("chain of 3")
                .contains("tree 2-2-1")
                .endsWith("Kept in " + folder.resolve("quickstart") + "\n");
        var summary = JSON.readTree(folder.resolve("quickstart/summary.json").toFile());
        assertThat(summary).hasSize(3);
        for (var variant : summary) {
            assertThat(variant.get("losslessness").asText()).isEqualTo("greedy-equal");
            assertThat(variant.get("speedup").has("median")).isTrue();
        }
        assertThat(folder.resolve("quickstart/details.json"))
                .content()
                .contains("\"mismatches\" : [ ]");
        var provenance = JSON.readTree(folder.resolve("quickstart/provenance.json").toFile());
        assertThat(provenance.get("models").toString()).contains("target demo-target");
        assertThat(Files.size(folder.resolve("quickstart/rounds.jsonl"))).isPositive();
        var samples = JSON.readTree(folder.resolve("quickstart/samples.json").toFile());
        assertThat(samples.get("sides")).hasSize(3);
        assertThat(samples.get("sides").get(0).get("rounds")).isNotEmpty();
        assertThat(folder.resolve("quickstart/report.html")).content().contains("chain of 3");
        reportsAndRefuses(folder.resolve("quickstart"));
    }

    private void reportsAndRefuses(Path results) {
        var again =
                Run.of("report", results.toString(), "--out", folder.resolve("again").toString());
        assertThat(again.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(again.out()).isEqualTo(folder.resolve("again/report.html") + "\n");
        assertThat(folder.resolve("again/report.html"))
                .hasSameTextualContentAs(results.resolve("report.html"));
        var twice = Run.of("report", results.toString(), results.toString());
        assertThat(twice.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(twice.err()).startsWith("DATA_INVALID: ").contains("are the same folder");
        var nothing = Run.of("report", folder.resolve("none").toString());
        assertThat(nothing.err()).startsWith("DATA_INVALID: ").contains("holds no results");
    }

    @Test
    void anInterruptedComparisonEndsAtOnceAndSaysSo() {
        var interruption = new Interruption();
        interruption.request();

        var run = Run.with("", interruption, "bench", QUICKSTART, "--out", folder.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.err()).isEqualTo("Interrupted before anything was measured.\n");
    }

    @Test
    void reportsEveryProblemOfAConfiguration() throws IOException {
        var file = Files.writeString(folder.resolve("bad.yaml"), "name: x\ntraget: 1\n");

        var run = Run.of("bench", file.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .startsWith("CONFIG_INVALID: ")
                .contains("bad.yaml:2:1")
                .contains("target");
    }
}
