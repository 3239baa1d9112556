package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests batches on the shipped models.
class BatchCommandTest {
    private static final String IN_CACHE = Shipped.IN_CACHE;

    @TempDir private Path folder;

    @Test
    void benchDecodesPromptsTogether() throws IOException {
        var run =
                Run.of(
                        "bench",
                        IN_CACHE,
                        "--out",
                        folder.toString(),
                        "--set",
                        "batch=2",
                        "--set",
                        "prompts.limit=5",
                        "--set",
                        "maxTokens=12",
                        "--set",
                        "repetitions=1",
                        "--set",
                        "warmup=0");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("4 of 4 prompts, 1 repetition, 2 decoded together, each read once in ");
        JsonNode details =
                new ObjectMapper()
                        .readTree(folder.resolve("in-cache/latest/details.json").toFile());
        assertThat(details.get("coverage").get("batch").asInt()).isEqualTo(2);
        assertThat(details.get("mismatches")).isEmpty();
        assertThat(details.get("kinds")).as("prompts of several kinds share their times").isEmpty();
        assertThat(Run.of("bench", IN_CACHE, "--set", "batch=99").err())
                .startsWith("CONFIG_INVALID: batch is 99, but there are only 12 prompts\n");
    }
}
