package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorpusCommandTest {
    @TempDir private Path folder;

    @Test
    void writesTextToLearnFromAndPromptsHeldOut() throws IOException {
        var run =
                Run.of(
                        "corpus",
                        "--out",
                        folder.toString(),
                        "--documents",
                        "40",
                        "--prompts",
                        "3",
                        "--kinds",
                        "story,code");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(Files.readAllLines(folder.resolve("train.jsonl"))).hasSize(40);
        assertThat(Files.readAllLines(folder.resolve("validation.jsonl"))).hasSize(2);
        assertThat(Files.readAllLines(folder.resolve("held-out.jsonl")))
                .hasSize(6)
                .allMatch(line -> line.contains("\"prompt\""))
                .noneMatch(line -> line.contains("\"kind\":\"summary\""));
    }

    @Test
    void writesTheSameTextForTheSameSeed() throws IOException {
        for (var name : new String[] {"one", "two"}) {
            Run.of("corpus", "--out", folder.resolve(name).toString(), "--documents", "20");
        }

        assertThat(folder.resolve("one/train.jsonl"))
                .hasSameTextualContentAs(folder.resolve("two/train.jsonl"));
    }

    @Test
    void saysWhatItCouldNotWrite() throws IOException {
        var file = Files.createFile(folder.resolve("file"));

        var run = Run.of("corpus", "--out", file.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .startsWith(
                        "IO_FAILED: the file '"
                                + file.resolve("train.jsonl")
                                + "' cannot be written: ")
                .endsWith("\n  Choose a folder that can be written to and has room.\n");
    }
}
