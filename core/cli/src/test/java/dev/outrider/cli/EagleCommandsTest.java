package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the commands about EAGLE heads, on the shipped heads.
class EagleCommandsTest {
    private static final String CONFIG = Shipped.config("eagle.yaml");
    private static final int TOKENS = 48;

    @TempDir private Path folder;

    /// This is also a lower limit: the target would accept almost nothing from heads that are shifted by one token.
    @ParameterizedTest
    @ValueSource(strings = {"EAGLE-1, chain", "EAGLE-2, dynamic tree", "EAGLE-3, chain"})
    void theShippedHeadsSaveRoundsAndChangeNothing(String variant) throws IOException {
        var drafted = generated(variant);

        assertThat(drafted.get("ids")).isEqualTo(generated("plain").get("ids"));
        assertThat(drafted.get("metrics").get("rounds").asInt()).isLessThan(TOKENS / 2);
    }

    @ParameterizedTest
    @CsvSource({"1, EAGLE-1, eagle", "3, EAGLE-3, eagle3"})
    void trainsHeadsThatDraftAtOnce(int generation, String variant, String drafter) {
        var out = folder.resolve(drafter);
        var run = train(generation, "out=" + out);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .startsWith(out + ": 2 steps, 32 tokens, loss ")
                .contains(", agreement0 ", ", agreement3 ");
        int at = generation == 1 ? 0 : 2;
        var drafted =
                Run.of(
                        "generate",
                        "--config",
                        CONFIG,
                        "--variant",
                        variant + ", chain",
                        "--shape",
                        "none",
                        "--set",
                        "variants[%d].drafter.path=%s".formatted(at, out),
                        "--prompt",
                        "The",
                        "--max-tokens",
                        "4");
        assertThat(drafted.exitCode()).as(drafted.err()).isEqualTo(ExitCode.OK);
    }

    @Test
    void aPlanThatDoesNotFitTheTargetIsTheConfigurationsMistake() {
        var run = train(3, "out=" + folder.resolve("x"), "head.capturedLayers=[2, 4, 60]");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .startsWith("CONFIG_INVALID: the training does not fit the target: capturedLayers")
                .contains("of a target with 6 layers");
    }

    private static Run train(int generation, String... changes) {
        return Shipped.trained("eagle", "training/eagle%d.yaml".formatted(generation), changes);
    }

    private static JsonNode generated(String variant) throws IOException {
        return Shipped.generated(
                TOKENS,
                "--prompt",
                "Mara wanted to find a red kite.",
                "--config",
                CONFIG,
                "--variant",
                variant);
    }
}
