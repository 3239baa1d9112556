package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.tokenizer.HfTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
