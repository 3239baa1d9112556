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
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// A run of the tiny models, recorded once for the tests of a class, and the command `lab` on it.
abstract class RecordedRun {
    static final ObjectMapper JSON = new ObjectMapper();

    static final String YAML =
            """
            name: recorded
            question: What would other rules give?
            target: {use: vector, path: %1$s/models/tiny-target}
            prompts: {file: %1$s/configs/prompts/held-out.jsonl, limit: 4}
            maxTokens: 24
            repetitions: 1
            warmup: 0
            exactnessTestSeconds: 0
            sampling: {temperature: 1}
            variants:
              - name: drawn
                drafter: {use: small-model, path: %1$s/models/tiny-draft, length: 3}
              - name: looked up
                drafter: {use: prompt-lookup}
                sampling: {temperature: 0}
            """;

    @TempDir static Path recorded;

    @BeforeAll
    static void record() throws IOException {
        var config = Files.writeString(recorded.resolve("recorded.yaml"), YAML.formatted(ROOT));
        var run =
                Run.of(
                        "bench",
                        config.toString(),
                        "--record",
                        "--out",
                        recorded.resolve("results").toString());
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    }

    static Path results() {
        return recorded.resolve("results/recorded");
    }

    static void assertUsage(Run run, String problem) {
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("USAGE: ").contains(problem);
    }

    static Run lab(String... options) {
        var command = new ArrayList<>(List.of("lab", results().toString()));
        command.addAll(List.of(options));
        return Run.of(command.toArray(String[]::new));
    }

    static JsonNode answer(JsonNode variant, String draft, String rule, int length) {
        return StreamSupport.stream(variant.at("/answers").spliterator(), false)
                .filter(each -> each.at("/draft").asText().equals(draft))
                .filter(each -> each.at("/rule").asText().equals(rule))
                .filter(each -> each.at("/length").asInt() == length)
                .findFirst()
                .orElseThrow();
    }
}
