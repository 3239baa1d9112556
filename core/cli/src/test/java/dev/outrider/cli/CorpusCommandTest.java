package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
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
    void writesTheSameDocumentsAsPlainText() throws IOException {
        for (var format : new String[] {"jsonl", "text"}) {
            var run =
                    Run.of(
                            "corpus",
                            "--out",
                            folder.toString(),
                            "--documents",
                            "30",
                            "--prompts",
                            "0",
                            "--format",
                            format);
            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        }
        var expected = new StringBuilder();
        for (var line : Files.readAllLines(folder.resolve("train.jsonl"))) {
            expected.append(new ObjectMapper().readTree(line).get("text").asText().stripTrailing())
                    .append("\n\n");
        }
        assertThat(folder.resolve("train.txt")).hasContent(expected.toString());
        assertThat(folder.resolve("validation.txt")).isNotEmptyFile();
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
