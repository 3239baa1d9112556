package dev.outrider.cli;

import static dev.outrider.cli.Shipped.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the commands about drafters that are the target itself.
class SelfSpeculationCommandsTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {"{use: early-exit, layer: 1}", "{use: skip-layers, skip: {attention: [1]}}"})
    void generatesWithItsOwnLayers(String drafter) throws IOException {
        var run = generated("vector", drafter);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    }

    @Test
    void aTargetThatRunsAllLayersOrNoneIsRefused() throws IOException {
        var run = generated("djl", "{use: early-exit, layer: 1}");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("CAPABILITY_MISSING", "runs all of them or none");
    }

    private Run generated(String backend, String drafter) throws IOException {
        var config =
                Files.writeString(
                        folder.resolve("one.yaml"),
                        """
                        name: one
                        target: {use: %s, path: %s}
                        sampling: {temperature: 1}
                        variants:
                          - {name: self, drafter: %s}
                        """
                                .formatted(backend, Path.of(TARGET).toAbsolutePath(), drafter));
        return Run.of(
                "generate",
                "--config",
                config.toString(),
                "--prompt",
                "Once upon a time",
                "--max-tokens",
                "8");
    }
}
