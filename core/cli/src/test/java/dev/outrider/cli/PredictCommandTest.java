package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command `predict` on shipped models.
class PredictCommandTest {
    @TempDir private Path folder;

    @Test
    void predictsAChainAndATreeToTheDigitAtTemperatureZero() throws IOException {
        var run =
                Run.of(
                        "predict",
                        Shipped.config("in-cache.yaml"),
                        "--measure",
                        "--json",
                        "--set",
                        "prompts.limit=4",
                        "--set",
                        "maxTokens=24",
                        "--set",
                        "repetitions=1",
                        "--set",
                        "warmup=0");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        var report = new ObjectMapper().readTree(run.out());
        assertThat(report.get("prompts").asInt()).isEqualTo(4);
        assertThat(report.get("measuredOn").asInt()).isEqualTo(4);
        assertThat(report.get("models").size()).isEqualTo(4);
        assertThat(report.get("variants")).hasSize(3);
        for (var variant : report.get("variants")) {
            assertThat(variant.get("difference").asDouble()).isBetween(-1e-9, 1e-9);
            assertThat(variant.get("predicted").get("value").asDouble()).isGreaterThan(1.5);
        }
    }

    @Test
    void predictsOnPromptsOfAFile() throws IOException {
        var prompts = folder.resolve("two.txt");
        Files.writeString(prompts, "Once upon a time\nQuestion: what is 3 + 4?\n");

        var run =
                Run.of(
                        "predict",
                        Shipped.config("in-cache.yaml"),
                        "--prompts",
                        prompts.toString(),
                        "--set",
                        "maxTokens=12");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .startsWith("variant")
                .doesNotContain("measured")
                .containsPattern("chain of 3 +small-model +greedy +0\\.00 +\\d\\.\\d\\d +\\[");
    }
}
