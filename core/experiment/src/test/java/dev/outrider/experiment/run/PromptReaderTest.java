package dev.outrider.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.experiment.config.PromptSource;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
    void countsPromptsAsALimitTakesThemAndWithAllTurnsEachTurn() throws IOException {
        Path file =
                file(
                        "c.jsonl",
                        """
                        {"category": "a", "turns": ["One", "Two"]}
                        {"category": "a", "turns": ["Three", "Four", "Five"]}
                        {"category": "b", "turns": ["Six"]}
                        """);
        for (var turns : PromptSource.Turns.values()) {
            var source =
                    new PromptSource.FromFile(
                            file,
                            List.of(),
                            1,
                            Optional.empty(),
                            turns,
                            PromptSource.Template.NONE);
            assertThat(PromptReader.counts(source))
                    .isEqualTo(
                            turns == PromptSource.Turns.ALL ? List.of(2, 1, 3) : List.of(1, 1, 1));
        }
    }

    @Test
    void readsSourcesUnlessAColumnIsNamed() throws IOException {
        Path file =
                file(
                        "p.jsonl",
                        "{\"source\": \"Long\", \"prompt\": \"Short\"}\n{\"source\": \"Long\"}\n");
        assertThat(PromptReader.read(new PromptSource.FromFile(file, List.of(), 0)))
                .containsExactly(
                        new PromptText("line-1", "text", List.of("Short"), Optional.of("Long")),
                        new PromptText("line-2", "text", List.of(), Optional.of("Long")));
        assertThat(
                        PromptReader.read(
                                new PromptSource.FromFile(
                                        file,
                                        List.of(),
                                        0,
                                        Optional.of("source"),
                                        PromptSource.Turns.FIRST,
                                        PromptSource.Template.NONE)))
                .contains(new PromptText("line-2", "text", "Long"));
        for (String source : List.of("3", "null", "[\"a\"]", "\"\"")) {
            Path wrong =
                    file("wrong.jsonl", "{\"prompt\": \"a\", \"source\": %s}\n".formatted(source));
            assertProblem(wrong, wrong + ":1 has a 'source' that is not text");
        }
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
        assertProblem(
                nameless, nameless + ":1 has no 'prompt', 'turns', 'question'; columns: text\n");
        assertProblem(
                file("empty.txt", "\n"),
                "there are no prompts in '" + folder.resolve("empty.txt") + "'\n");
        assertProblem(
                file("half.jsonl", "{\"id\": \"\\ud800\", \"prompt\": \"a\"}\n"),
                folder.resolve("half.jsonl")
                        + ":1 has half of a surrogate pair, such as \\ud800\n");
        assertProblem(
                file("twice.jsonl", "{\"prompt\": \"a\", \"prompt\": \"b\"}\n"),
                folder.resolve("twice.jsonl") + ":1 is not JSON: Duplicate field 'prompt'");
        assertProblem(
                file("more.jsonl", "{\"prompt\": \"a\"} {\"prompt\": \"b\"}\n"),
                folder.resolve("more.jsonl") + ":1 is not JSON: Trailing token");
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

    @Test
    void readsTheLayoutsOfCommonPromptSets() throws IOException {
        var specBench =
                file(
                        "question.jsonl",
                        """
                        {"question_id": 81, "category": "writing", "turns": ["Compose a post.", "Rewrite it."], "reference": []}
                        {"question_id": 82, "category": "math_reasoning", "turns": ["1 + 1?"]}
                        """);
        var humanEval =
                file(
                        "human_eval.jsonl",
                        "{\"task_id\": \"HumanEval/0\", \"prompt\": \"def f():\\n\", \"entry_point\": \"f\"}\n");
        var gsm8k =
                file("gsm8k.jsonl", "{\"question\": \"How many?\", \"answer\": \"#### 3\"}\r\n");

        assertThat(PromptReader.read(new PromptSource.FromFile(specBench, List.of(), 0)))
                .containsExactly(
                        new PromptText(
                                "81",
                                "writing",
                                List.of("Compose a post.", "Rewrite it."),
                                Optional.empty()),
                        new PromptText("82", "math_reasoning", "1 + 1?"));
        assertThat(
                        PromptReader.read(
                                new PromptSource.FromFile(specBench, List.of("math_reasoning"), 0)))
                .hasSize(1);
        assertThat(PromptReader.read(new PromptSource.FromFile(humanEval, List.of(), 0)))
                .containsExactly(new PromptText("HumanEval/0", "text", "def f():\n"));
        assertThat(PromptReader.read(new PromptSource.FromFile(gsm8k, List.of(), 0)))
                .containsExactly(new PromptText("line-1", "text", "How many?"));
    }

    @Test
    void takesTheColumnThatIsNamed() throws IOException {
        var file = file("p.jsonl", "{\"prompt\": \"no\", \"text\": \"yes\"}\n");

        assertThat(PromptReader.read(column(file, "text")))
                .containsExactly(new PromptText("line-1", "text", "yes"));
        assertThatThrownBy(() -> PromptReader.read(column(file, "txet")))
                .hasMessage(
                        "DATA_INVALID: "
                                + file
                                + ":1 has no 'txet'; columns: prompt, text\n  Write one JSON object a line, such as"
                                + " {\"prompt\": \"Once\"}, or name the text's column with prompts.column.");
    }

    @Test
    void namesTheLineThatIsWrong() throws IOException {
        assertProblem(
                file("list.jsonl", "{\"prompt\": \"a\"}\n\n[1]\n"),
                folder.resolve("list.jsonl") + ":3 is no JSON object\n");
        assertProblem(
                file("number.jsonl", "{\"prompt\": 7}\n"),
                folder.resolve("number.jsonl")
                        + ":1 has a 'prompt' that is neither text nor a list of texts\n");
        assertProblem(
                file("turns.jsonl", "{\"turns\": [\"a\", 3]}\n"),
                folder.resolve("turns.jsonl")
                        + ":1 has a 'turns' that is neither text nor a list of texts\n");
        assertProblem(
                file("none.jsonl", "{\"turns\": []}\n"),
                folder.resolve("none.jsonl")
                        + ":1 has a 'turns' that is neither text nor a list of texts\n");
        assertProblem(
                file("empty.jsonl", "{\"prompt\": \"\"}\n"),
                folder.resolve("empty.jsonl") + ":1 has an empty text in 'prompt'\n");
        var bytes = folder.resolve("bytes.jsonl");
        Files.write(bytes, new byte[] {'{', '}', '\n', (byte) 0xff, '\n'});
        assertThatThrownBy(() -> PromptReader.read(column(bytes, "x")))
                .hasMessageContaining(bytes + ":1 has no 'x'; columns: ");
        Files.write(bytes, new byte[] {'\n', (byte) 0xff, '\n'});
        assertProblem(bytes, bytes + ":2 is not UTF-8 text\n");
    }

    private static PromptSource.FromFile column(Path file, String name) {
        return new PromptSource.FromFile(
                file,
                List.of(),
                0,
                Optional.of(name),
                PromptSource.Turns.FIRST,
                PromptSource.Template.NONE);
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
