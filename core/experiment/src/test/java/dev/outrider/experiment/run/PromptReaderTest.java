package dev.outrider.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.experiment.config.PromptSource;
import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PromptReaderTest {
    @TempDir Path folder;

    @Test
    void readsJsonLines() throws IOException {
        Path file =
                file(
                        "p.jsonl",
                        "{\"id\": \"s1\", \"kind\": \"story\", \"prompt\": \"Once\\n\"}\n\n{\"prompt\": \"Two\"}\n");
        assertThat(PromptReader.read(new PromptSource.FromFile(file, List.of(), 0)))
                .containsExactly(
                        new PromptText("s1", "story", "Once\n"),
                        new PromptText("line-3", "text", "Two"));
    }

    @Test
    void readsPlainTextAPromptALine() throws IOException {
        Path file = file("p.txt", "One\n\nTwo: 2\n");
        assertThat(PromptReader.read(new PromptSource.FromFile(file, List.of(), 0)))
                .containsExactly(
                        new PromptText("line-1", "text", "One"),
                        new PromptText("line-3", "text", "Two: 2"));
    }

    @Test
    void aLimitTakesEveryKindInTurn() throws IOException {
        var lines = new StringBuilder();
        for (String id : List.of("a1", "a2", "a3", "b1", "b2", "c1")) {
            lines.append(
                    "{\"id\": \"%s\", \"kind\": \"%c\", \"prompt\": \"x\"}\n"
                            .formatted(id, id.charAt(0)));
        }
        Path file = file("p.jsonl", lines.toString());
        assertThat(ids(new PromptSource.FromFile(file, List.of(), 5)))
                .containsExactly("a1", "b1", "c1", "a2", "b2");
        assertThat(ids(new PromptSource.FromFile(file, List.of("a", "b"), 3)))
                .containsExactly("a1", "b1", "a2");
    }

    @Test
    void explainsWhatIsWrong() throws IOException {
        Path broken = file("broken.jsonl", "{\"prompt\": \"a\"}\n{\"prompt\": \n");
        Path nameless = file("nameless.jsonl", "{\"text\": \"a\"}\n");
        assertProblem(broken, broken + ":2 is not JSON: ");
        assertProblem(nameless, nameless + ":1 has no 'prompt'\n");
        assertProblem(
                file("empty.txt", "\n"),
                "there are no prompts in '" + folder.resolve("empty.txt") + "'\n");
        assertThatThrownBy(() -> PromptReader.read(new PromptSource.Texts(List.of())))
                .hasMessage(
                        "DATA_INVALID: there are no prompts in the configuration\n"
                                + "  Give prompts.texts or prompts.file, and kinds that occur in the file.");
        assertThatThrownBy(() ->
                        PromptReader.read(
                                new PromptSource.FromFile(folder.resolve("none"), List.of(), 0)))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "IO_FAILED: prompt file '" + folder.resolve("none") + "' cannot be read: ")
                .hasMessageEndingWith(
                        "\n  Check prompts.file; a relative path is relative to the configuration file.");
    }

    private static void assertProblem(Path file, String problem) {
        assertThatThrownBy(() -> PromptReader.read(new PromptSource.FromFile(file, List.of(), 0)))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith("DATA_INVALID: " + problem);
    }

    private static List<String> ids(PromptSource source) {
        return PromptReader.read(source).stream().map(PromptText::id).toList();
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
