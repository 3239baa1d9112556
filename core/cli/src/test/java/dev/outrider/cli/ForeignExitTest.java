package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs a plugin that ends the process, in a separate process.
class ForeignExitTest {
    @TempDir private Path folder = Path.of("");

    @Test
    void aPluginThatEndsTheProgramIsNamedAndTheRunHasFailed() throws Exception {
        var first = "var tree = TokenTree.builder(root);";
        EchoSources.jarWith(first, "if (length == 3) { System.exit(0); } " + first)
                .write(folder.resolve("plugins/echo/echo.jar"));

        var said = folder.resolve("err");
        var process = new ProcessBuilder(command()).redirectError(said.toFile()).start();

        assertThat(process.waitFor()).isEqualTo(ExitCode.FAILURE);
        assertThat(said)
                .content()
                .contains(
                        "PLUGIN_FAILED: plugin 'echo' ended the program with System.exit in acme.")
                .contains("  Report it to its author.");
    }

    private List<String> command() throws IOException {
        var config =
                Files.writeString(
                        folder.resolve("echo.yaml"),
                        """
                        name: echo
                        target: {use: vector, path: %s/models/tiny-target}
                        prompts: {texts: [The]}
                        maxTokens: 4
                        exactnessTestSeconds: 0
                        variants:
                          - {name: echo, drafter: {use: echo, length: 3}}
                        """
                                .formatted(Shipped.ROOT.toString().replace('\\', '/')));
        var command = CellProcesses.likeThisOne();
        command.addAll(
                1,
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-Doutrider.plugins=" + folder.resolve("plugins")));
        command.addAll(List.of("bench", config.toString(), "--out", folder.toString()));
        return command;
    }
}
