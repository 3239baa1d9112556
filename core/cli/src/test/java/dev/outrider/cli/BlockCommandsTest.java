package dev.outrider.cli;

import static dev.outrider.cli.Shipped.TARGET;
import static dev.outrider.cli.Shipped.trained;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands about drafters of blocks.
class BlockCommandsTest {
    @TempDir private Path folder;

    @Test
    void trainsABlockDrafterThatDraftsForItsTarget() throws IOException {
        var out = folder.resolve("head");

        var run = trained("dspark", "training/dspark.yaml", "out=" + out, "head.anchors=4");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .startsWith(out + ": 2 steps, 32 tokens, loss ")
                .contains("acceptance8 ", "accepted9 ");
        var config =
                Files.writeString(
                        folder.resolve("one.yaml"),
                        """
                        name: one
                        target: {use: vector, path: %s}
                        sampling: {temperature: 1}
                        variants:
                          - {name: block, drafter: {use: dspark, path: %s, length: 8}}
                        """
                                .formatted(Path.of(TARGET).toAbsolutePath(), out));
        var generated =
                Run.of(
                        "generate",
                        "--config",
                        config.toString(),
                        "--prompt",
                        "Once upon a time",
                        "--max-tokens",
                        "8");
        assertThat(generated.exitCode()).as(generated.err()).isEqualTo(ExitCode.OK);
    }
}
