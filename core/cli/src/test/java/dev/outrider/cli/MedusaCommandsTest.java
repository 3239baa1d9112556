package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands about Medusa heads, on the shipped ones.
class MedusaCommandsTest {
    private static final String CONFIG = Shipped.config("medusa.yaml");
    private static final int TOKENS = 48;

    @TempDir private Path folder;

    /// Also a floor: heads misplaced by one token would accept next to nothing.
    @ParameterizedTest
    @ValueSource(strings = {"chain of 4", "tree 3-2-1"})
    void theShippedHeadsSaveRoundsAndChangeNothing(String variant) throws IOException {
        var plain = generated("plain").get("ids");
        var drafted = generated(variant);

        assertThat(drafted.get("ids")).isEqualTo(plain);
        assertThat(plain).hasSize(TOKENS);
        assertThat(drafted.get("metrics").get("rounds").asInt()).isLessThan(TOKENS * 2 / 3);
    }

    @Test
    void trainsHeadsThatDraftAtOnce() {
        var out = folder.resolve("heads");
        var run =
                Shipped.trained(
                        "medusa",
                        "training/medusa.yaml",
                        "out=" + out,
                        "heads.count=2",
                        "heads.projection=target");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .startsWith(out + ": 2 steps, 32 tokens, loss ")
                .contains(", accuracyHead0 ", ", accuracyHead1 ");
        var drafted =
                Run.of(
                        "generate",
                        "--config",
                        CONFIG,
                        "--variant",
                        "chain of 2",
                        "--set",
                        "variants[0].drafter.path=" + out,
                        "--prompt",
                        "The",
                        "--max-tokens",
                        "4");
        assertThat(drafted.exitCode()).as(drafted.err()).isEqualTo(ExitCode.OK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"own", "target"})
    void timesADraftAgainstAPass(String projection) {
        var run =
                Run.of(
                        "bench-draft",
                        "medusa",
                        "--shape",
                        "stories260k",
                        "--precision",
                        "f32",
                        "--threads",
                        "1",
                        "--turns",
                        "2",
                        "--projection",
                        projection);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .startsWith("stories260k, f32, 1 threads, context 128, median of 2 turns\n")
                .containsPattern("4 heads, " + projection + " +projection +\\d+\\.\\d{3} ms")
                .containsPattern("draft / target pass +\\d+\\.\\d{3}\n");
    }

    @Test
    void listsTheShapesWhenOneIsUnknown() {
        assertThat(Run.of("bench-draft", "medusa", "--shape", "big").err())
                .contains(
                        "shape is big, expected one of demo-target, experts-1b, llama-68m, llama-7b, ");
    }

    private static JsonNode generated(String variant) throws IOException {
        return Shipped.generated(
                TOKENS,
                "--prompt",
                "Question: what is 3 + 4?",
                "--config",
                CONFIG,
                "--variant",
                variant);
    }
}
