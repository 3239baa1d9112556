package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafter.lookup.NgramFile;
import dev.outrider.nn.tokenizer.HfTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainNgramCommandTest {
    private static final Path TOKENIZER =
            Path.of(System.getProperty("outrider.root", "../.."))
                    .resolve("models/demo-target/tokenizer.json");

    @TempDir private Path folder;

    @Test
    void countsTheCorpusTheSameWayEveryTime() throws IOException {
        var one = folder.resolve("one.safetensors");
        var other = folder.resolve("other.safetensors");

        assertThat(train("--documents", "30", "--out", one.toString()).out())
                .matches("(?s)\\Q" + one + "\\E: \\d+ tokens, \\d+ pairs\n");
        train("--documents", "30", "--out", other.toString());

        assertThat(one).hasSameBinaryContentAs(other);
        var file = NgramFile.read(one);
        try (var tokenizer = HfTokenizer.load(TOKENIZER)) {
            assertThat(file.tokenizer()).isEqualTo(tokenizer.digest());
            assertThat(file.counts().vocabulary()).isEqualTo(tokenizer.vocabularySize());
        }
        assertThat(file.counts().tokens()[0]).describedAs("ends of text").isEqualTo(30);
    }

    @Test
    void countsGivenTexts() throws IOException {
        var text = Files.writeString(folder.resolve("text"), "a a a");
        var out = folder.resolve("table.safetensors");

        var run = train("--text", text.toString(), "--out", out.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(NgramFile.read(out).counts().tokens()[0]).isEqualTo(1);
    }

    @Test
    void refusesNoDocuments() {
        var run = train("--documents", "0", "--out", "unused");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("documents 0 must be at least 1\n");
    }

    private static Run train(String... options) {
        var command = new String[options.length + 4];
        command[0] = "train";
        command[1] = "ngram";
        command[2] = "--tokenizer";
        command[3] = TOKENIZER.toString();
        System.arraycopy(options, 0, command, 4, options.length);
        return Run.of(command);
    }
}
