package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Exports the shipped heads in other layouts and drafts with the exports.
class ExportCommandTest {
    private static final int TOKENS = 24;

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({
        "speculators, demo-eagle3, eagle.yaml, 'EAGLE-3, chain', 2",
        "specforge, demo-eagle3, eagle.yaml, 'EAGLE-3, chain', 2",
        "medusa-v1, demo-medusa, medusa.yaml, chain of 2, 0"
    })
    void aShippedHeadDraftsTheSameFromWhatIsWritten(
            String layout, String head, String config, String variant, int at) throws IOException {
        var out = folder.resolve(layout);
        var run = export(layout, head, out);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).startsWith(out + ": ");
        var shipped = Shipped.ROOT.resolve("models").resolve(head);
        var before = generated(config, variant, at, shipped);
        var after = generated(config, variant, at, out);
        assertThat(after.get("ids")).isEqualTo(before.get("ids"));
        assertThat(after.get("metrics").get("rounds").asInt())
                .isEqualTo(before.get("metrics").get("rounds").asInt())
                .isLessThan(TOKENS);
    }

    @Test
    void aHeadThatALayoutCannotSayIsAFailureThatSaysSo() {
        var run = export("specforge", "tiny-eagle3", folder.resolve("x"), "models/tiny-target");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .isEqualTo(
                        """
                        CHECKPOINT_UNSUPPORTED: the head has states after [0, 2] layers; it has three, the first after 2, which the layout of SpecForge cannot say
                          Choose another layout; 'outrider export' lists them.
                        """);
    }

    @Test
    void listsTheLayouts() {
        assertThat(Run.of("export").out())
                .contains("medusa-v1    ", "speculators  ", "specforge    ");
        assertThat(Run.of("export", "speculator").err())
                .startsWith("UNKNOWN_COMPONENT: there is no head export 'speculator'")
                .contains("Did you mean 'speculators'?");
    }

    private static Run export(String layout, String head, Path out) {
        return export(layout, head, out, "models/demo-target");
    }

    private static Run export(String layout, String head, Path out, String target) {
        return Run.of(
                "export",
                layout,
                "--head",
                Shipped.ROOT.resolve("models").resolve(head).toString(),
                "--target",
                Shipped.ROOT.resolve(target).toString(),
                "--out",
                out.toString());
    }

    private static JsonNode generated(String config, String variant, int at, Path head)
            throws IOException {
        return Shipped.generated(
                TOKENS,
                "--prompt",
                "Mara wanted to find a red kite.",
                "--config",
                Shipped.config(config),
                "--variant",
                variant,
                "--set",
                "variants[%d].drafter.path=%s".formatted(at, head.toAbsolutePath()));
    }
}
