package dev.outrider.cli;

import static dev.outrider.cli.Shipped.TARGET;
import static dev.outrider.cli.Shipped.trained;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands about modules for multi-token prediction.
class MtpCommandsTest {
    @TempDir private Path folder;

    @Test
    void trainsModulesOnATargetThatDraftForIt() throws IOException {
        var out = folder.resolve("modules");
        var before = Files.readAllBytes(Path.of(TARGET, "model.safetensors"));

        var run = trained("mtp", "training/mtp.yaml", "out=" + out);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).startsWith(out + ": 2 steps, 32 tokens, loss ").contains("overlap3 ");
        assertThat(Files.readAllBytes(Path.of(TARGET, "model.safetensors"))).isEqualTo(before);
        assertThat(trained("mtp", "training/mtp.yaml", "out=" + out).err())
                .contains("already holds a finished model");
    }
}
