package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.tokenizer.HfTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenizerCommandTest {
    @TempDir private Path folder;

    @Test
    void learnsFromTheCorpus() {
        var file = folder.resolve("tokenizer.json");

        var run =
                Run.of(
                        "tokenizer",
                        "train",
                        "--vocabulary",
                        "300",
                        "--documents",
                        "50",
                        "--out",
                        file.toString());

        assertThat(run.out()).isEqualTo(file + ": 300 tokens\n");
        try (var tokenizer = HfTokenizer.load(file)) {
            assertThat(tokenizer.decode(tokenizer.encode("the garden", false)))
                    .isEqualTo("the garden");
        }
    }

    @Test
    void learnsTheTextsOfJsonLinesAsOfFilesOfTheirOwn() throws IOException {
        var texts = List.of("a cat and a hat", "that hat", "a cat at that");
        var command = new ArrayList<>(List.of("tokenizer", "train", "--vocabulary", "270"));
        var lines = new StringBuilder();
        for (int i = 0; i < texts.size(); i++) {
            lines.append("{\"text\": \"%s\"}\n".formatted(texts.get(i)));
            var file = Files.writeString(folder.resolve(i + ".txt"), texts.get(i));
            command.addAll(List.of("--text", file.toString()));
        }
        var jsonl = Files.writeString(folder.resolve("texts.jsonl"), lines);
        var ofFiles = folder.resolve("files.json");
        var ofLines = folder.resolve("lines.json");
        command.addAll(List.of("--out", ofFiles.toString()));

        var first = Run.of(command.toArray(String[]::new));
        var second =
                Run.of(
                        "tokenizer",
                        "train",
                        "--vocabulary",
                        "270",
                        "--text",
                        jsonl.toString(),
                        "--out",
                        ofLines.toString());

        assertThat(first.exitCode()).as(first.err()).isEqualTo(ExitCode.OK);
        assertThat(second.exitCode()).as(second.err()).isEqualTo(ExitCode.OK);
        assertThat(ofLines).hasSameTextualContentAs(ofFiles);
        assertThat(ofLines).content().contains("cat");
    }

    @Test
    void saysWhichLineHasNoText() throws IOException {
        var jsonl = Files.writeString(folder.resolve("texts.jsonl"), "{\"txt\": \"a\"}\n");

        var run =
                Run.of(
                        "tokenizer",
                        "train",
                        "--vocabulary",
                        "270",
                        "--text",
                        jsonl.toString(),
                        "--out",
                        folder.resolve("tokenizer.json").toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).startsWith("DATA_INVALID: ").contains("texts.jsonl");
    }

    @Test
    void saysWhenTheTextHasTooFewPairs() throws IOException {
        var text = Files.writeString(folder.resolve("text"), "abab");

        var run =
                Run.of(
                        "tokenizer",
                        "train",
                        "--vocabulary",
                        "300",
                        "--text",
                        text.toString(),
                        "--out",
                        folder.resolve("tokenizer.json").toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.err())
                .isEqualTo(
                        "The text has no more pairs that occur twice, so there are 42 tokens fewer than asked for.\n");
    }

    @Test
    void refusesAVocabularyWithoutRoomForTheBytes() {
        var run = Run.of("tokenizer", "train", "--vocabulary", "100", "--out", "unused.json");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("USAGE: --vocabulary is 100, expected at least 257\n");
    }
}
