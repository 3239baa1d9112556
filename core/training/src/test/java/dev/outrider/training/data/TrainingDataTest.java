package dev.outrider.training.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.chat.ChatMessage;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.data.DataConfig.Split;
import dev.outrider.training.data.DataSourceConfig.RecordKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingDataTest {
    @TempDir private Path folder;

    @Test
    void everyDocumentComesOnceAnEpochAndOnOneSide() throws IOException {
        lines("a.jsonl", "a", 700);
        lines("sub/b.jsonl", "b", 300);
        var data = open(1, 0.1, source(1, "**.jsonl"));

        var learned = set(data.training(), 2000);
        var watched = set(data.validation(), 2000);

        assertThat(learned).doesNotContainAnyElementsOf(watched);
        assertThat(learned.size() + watched.size()).isEqualTo(1000);
        assertThat(watched).hasSizeBetween(70, 130);
        assertThat(texts(data.training(), learned.size()))
                .containsExactlyInAnyOrderElementsOf(learned);
    }

    @Test
    void theTextsOfAFileComeOnceInItsOrder() throws IOException {
        lines("a.jsonl", "a", 300);

        var texts = TrainingData.texts(folder.resolve("a.jsonl"), DataFormat.JSONL).toList();

        assertThat(texts)
                .containsExactlyElementsOf(
                        IntStream.range(0, 300).mapToObj(i -> "a " + i).toList());
    }

    @Test
    void theSeedDecidesTheOrderAndNotTheSplit() throws IOException {
        lines("a.jsonl", "a", 200);
        var first = open(1, 0.1, source(1, "a.jsonl"));
        var second = open(2, 0.1, source(1, "a.jsonl"));

        assertThat(texts(first.training(), 500)).isEqualTo(texts(first.training(), 500));
        assertThat(texts(first.training(), 100)).isNotEqualTo(texts(second.training(), 100));
        assertThat(set(first.validation(), 400)).isEqualTo(set(second.validation(), 400));
    }

    @Test
    void anotherEpochHasAnotherOrder() throws IOException {
        lines("a.jsonl", "a", 100);
        var data = open(1, 0.1, source(1, "a.jsonl"));
        int epoch = set(data.training(), 300).size();

        var twice = texts(data.training(), 2 * epoch);

        assertThat(twice.subList(0, epoch)).isNotEqualTo(twice.subList(epoch, 2 * epoch));
        assertThat(twice.subList(0, epoch))
                .containsExactlyInAnyOrderElementsOf(twice.subList(epoch, 2 * epoch));
    }

    @Test
    void sourcesAreDrawnInProportionToTheirWeights() throws IOException {
        lines("a.jsonl", "a", 50);
        lines("b.jsonl", "b", 500);
        var data = open(3, 0.1, source(3, "a.jsonl"), source(1, "b.jsonl"));

        long drawn = texts(data.training(), 4000).stream().filter(t -> t.startsWith("a")).count();

        assertThat(drawn).isBetween(2880L, 3120L);
    }

    @Test
    void linesOfManyBlocksAreAllFoundWhereverTheyBegin() throws IOException {
        var written = new ArrayList<String>();
        var text = new StringBuilder();
        for (int line = 0; line < 900; line++) {
            written.add("line " + line + " " + "x".repeat(line * 7919 % 9001));
            text.append("{\"text\": \"").append(written.getLast()).append("\"}\n");
        }
        written.add("long " + "y".repeat(3 * LineBlocks.BLOCK));
        text.append("{\"text\": \"").append(written.getLast()).append("\"}");
        Files.writeString(folder.resolve("a.jsonl"), text);
        var data = open(1, 0.2, source(1, "a.jsonl"));

        var all = new HashSet<String>();
        all.addAll(set(data.training(), 901));
        all.addAll(set(data.validation(), 901));

        assertThat(all).isEqualTo(Set.copyOf(written));
    }

    @Test
    void plainTextIsCutAtBlankLinesAndNothingIsLost() throws IOException {
        var text = new StringBuilder();
        for (int paragraph = 0; paragraph < 40_000; paragraph++) {
            text.append("Paragraph %d of the thing, \u00e4nd its words.\n\n".formatted(paragraph));
        }
        var file = Files.writeString(folder.resolve("a.txt"), text);
        var blocks = new DataSource.TextBlocks(file, Files.size(file));
        var pieces = new ArrayList<String>();
        for (int block = 0; block < blocks.count(); block++) {
            blocks.read(block).forEach(each -> pieces.add(each.question()));
        }

        assertThat(blocks.count()).isGreaterThan(1);
        assertThat(String.join("\n\n", pieces) + "\n\n").isEqualTo(text.toString());
        assertThat(pieces)
                .allSatisfy(piece -> assertThat(piece).startsWith("Paragraph ").endsWith("words."))
                .allSatisfy(piece ->
                        assertThat(piece.length()).isLessThan(2 * DataSource.TextBlocks.PIECE));
    }

    @Test
    void textWithoutAnyPlaceToCutIsCutBetweenCharacters() throws IOException {
        var text = "\u20ac".repeat(40_000);
        var file = Files.writeString(folder.resolve("a.txt"), text);
        var pieces = new DataSource.TextBlocks(file, Files.size(file)).read(0);

        assertThat(pieces.stream().map(Document::question).collect(Collectors.joining()))
                .isEqualTo(text);
        assertThat(pieces).hasSizeGreaterThan(5);
    }

    @Test
    void aByteOrderMarkAndCarriageReturnsAreNoText() throws IOException {
        Files.writeString(folder.resolve("a.txt"), "\uFEFFOne.\r\n");
        Files.writeString(folder.resolve("b.jsonl"), "\uFEFF{\"text\": \"Two.\"}\r\n\r\n \n");
        var data = open(1, 0.000001, source(1, "a.txt"), source(1, "b.jsonl"));

        assertThat(set(data.training(), 50)).containsExactlyInAnyOrder("One.", "Two.");
    }

    @Test
    void factsTellTextAndMixtureButNotTheFolder() throws IOException {
        lines("x/a.jsonl", "a", 20);
        lines("y/a.jsonl", "a", 20);
        lines("z/a.jsonl", "b", 20);

        var x = open(1, 0.1, source(1, "x/*.jsonl")).facts();

        assertThat(x).isEqualTo(open(1, 0.1, source(1, "y/a.jsonl")).facts());
        assertThat(x).isNotEqualTo(open(1, 0.1, source(1, "z/a.jsonl")).facts());
        assertThat(x).isNotEqualTo(open(2, 0.1, source(1, "x/a.jsonl")).facts());
        assertThat(x).isNotEqualTo(open(1, 0.2, source(1, "x/a.jsonl")).facts());
        assertThat(x).isNotEqualTo(open(1, 0.1, source(2, "x/a.jsonl")).facts());
    }

    @Test
    void aBrokenLineIsNamed() throws IOException {
        assertBroken("{\"text\": \"a\"}\n\n{\"text\": \"b\"\n", "line 3: expected a JSON object: ");
        assertBroken("{\"text\": \"a\"} {}\n", "line 1: expected a JSON object: ");
        assertBroken(
                "{\"body\": \"a\", \"id\": 3}",
                "line 1: expected an object with 'messages', 'conversations', 'prompt' or 'text',"
                        + " got one with body, id");
        assertBroken(
                "{\"text\": 4}",
                "line 1: expected an object with 'messages', 'conversations', 'prompt' or 'text',"
                        + " got one with text");
        assertBroken("[1]", "line 1: expected an object with 'messages'");
        assertBroken(
                "{\"text\": \"\\ud800\"}",
                "line 1: 'text' has half a surrogate pair, which is no character");
        assertBroken("{\"messages\": []}", "line 1: expected 1 to 10000 messages, got 0");
        assertBroken(
                "{\"messages\": [{\"role\": \"judge\", \"content\": \"a\"}]}",
                "line 1: expected a message of system, user, assistant or tool, got 'judge'");
        assertBroken(
                "{\"messages\": [{\"role\": \"user\", \"content\": null}]}",
                "line 1: expected a string 'content', got null");
        assertBroken(
                "{\"messages\": [{\"role\": \"user\", \"content\": [{\"type\": \"image\"}]}]}",
                "line 1: expected a string 'text', got one with type");
        Files.write(folder.resolve("broken.jsonl"), new byte[] {'{', '"', (byte) 0xE9, '"', '}'});
        assertThatThrownBy(() -> texts(open(1, 0.1, source(1, "broken.jsonl")).training(), 1))
                .hasMessageContaining("line 1: expected a JSON object in UTF-8, got other bytes");
    }

    @Test
    void conversationsCompletionsAndTextsAreToldApart() throws IOException {
        Files.writeString(
                folder.resolve("a.jsonl"),
                """
                {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [{"type": "text", "text": "Ho"}]}], "text": "x"}
                {"conversations": [{"from": "human", "value": "Hi 2"}, {"from": "gpt", "value": "Ho"}]}
                {"prompt": "Hi 3", "completion": " Ho"}
                {"text": "Hi 4"}
                {"prompt": "Hi 5", "completion": "H", "truncated": true}
                {"prompt": "Hi 6"}
                """);
        var chat = new Document.Chat(turns("Hi"), true);
        var shared = new Document.Chat(turns("Hi 2"), true);

        assertThat(documents(Optional.empty(), 60))
                .containsExactlyInAnyOrder(
                        chat,
                        shared,
                        new Document.Completion("Hi 3", " Ho", true),
                        new Document.Text("Hi 4", Document.Overflow.GOES_ON),
                        new Document.Completion("Hi 5", "H", false),
                        new Document.Completion("Hi 6", "", false));
        assertThatThrownBy(() -> documents(Optional.of(RecordKind.COMPLETION), 60))
                .hasMessageContaining("expected a string 'prompt', got one with");
    }

    private static List<ChatMessage> turns(String question) {
        return List.of(new ChatMessage("user", question), new ChatMessage("assistant", "Ho"));
    }

    private Set<Document> documents(Optional<RecordKind> kind, int count) {
        var source =
                new DataSourceConfig(List.of(folder.resolve("a.jsonl")), Optional.empty(), kind, 1);
        return open(1, 0.000001, source).training().limit(count).collect(Collectors.toSet());
    }

    @Test
    void anotherAnswerStaysOnTheSideOfItsQuestion() {
        for (int i = 0; i < 200; i++) {
            var split = new Split(true, 0.5);
            var first = new Document.Completion("question " + i, "one", true);
            var second = new Document.Completion("question " + i, "another", true);
            assertThat(split.has(first)).isEqualTo(split.has(second));
            assertThat(split.has(first)).isNotEqualTo(new Split(false, 0.5).has(first));
        }
    }

    @Test
    void aLineWithoutEndIsNotReadWhole() throws IOException {
        Files.writeString(
                folder.resolve("broken.jsonl"), "{}\n" + " {".repeat(LineBlocks.LONGEST / 2 + 10));
        assertThatThrownBy(() ->
                        new LineBlocks(
                                        folder.resolve("broken.jsonl"),
                                        LineBlocks.LONGEST,
                                        (_, _, _) -> Optional.empty())
                                .read(0))
                .hasMessageContaining(
                        "line 2: the line has more than 16777216 bytes, the most that is read");
    }

    @Test
    void textThatIsNoneIsRefused() throws IOException {
        Files.write(folder.resolve("a.txt"), new byte[] {'a', '\n', 'b', 0, 'c'});
        assertThatThrownBy(() -> texts(open(1, 0.1, source(1, "a.txt")).training(), 1))
                .hasMessageContaining("line 2: expected text in UTF-8, got a zero byte");
        Files.write(folder.resolve("a.txt"), new byte[] {'a', (byte) 0xFF, 'c'});
        assertThatThrownBy(() -> texts(open(1, 0.1, source(1, "a.txt")).training(), 1))
                .hasMessageContaining("line 1: expected text in UTF-8, got other bytes near here");
    }

    @Test
    void filesThatAreNotThereOrOfNoKnownFormatAreRefused() throws IOException {
        Files.writeString(folder.resolve("a.dat"), "text");
        Files.createDirectory(folder.resolve("b.txt"));
        assertRefused("*.jsonl", "no file matches '%s/*.jsonl'");
        assertRefused("c.txt", "there is no file '%s/c.txt'");
        assertRefused("b.txt", "'%s/b.txt' is not a regular file");
        assertRefused("a.dat", "the ending of '%s/a.dat' does not say how documents lie in it");
    }

    @Test
    void dataWithoutADocumentAreRefused() throws IOException {
        Files.writeString(folder.resolve("a.jsonl"), "{\"text\": \" \"}\n");
        var data = open(1, 0.1, source(1, "a.jsonl"));
        assertThatThrownBy(() -> texts(data.training(), 1))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("source 1 of 1 has no document to learn");
        assertThatThrownBy(() -> texts(data.validation(), 1))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("no source has a document to validate with");
    }

    private void assertBroken(String text, String problem) throws IOException {
        var file = Files.writeString(folder.resolve("broken.jsonl"), text);
        assertThatThrownBy(() -> texts(open(1, 0.1, source(1, "broken.jsonl")).training(), 1))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("DATA_INVALID: '%s', ".formatted(file) + problem);
    }

    private void assertRefused(String pattern, String problem) {
        assertThatThrownBy(() -> open(1, 0.1, source(1, pattern)))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining(
                        "CONFIG_INVALID: data.sources.files: " + problem.formatted(folder));
    }

    private void lines(String name, String prefix, int count) throws IOException {
        var file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(
                file,
                IntStream.range(0, count)
                        .mapToObj(i -> "{\"text\": \"%s %d\", \"id\": %d}".formatted(prefix, i, i))
                        .toList());
    }

    private DataSourceConfig source(double weight, String pattern) {
        return new DataSourceConfig(
                List.of(folder.resolve(pattern)), Optional.empty(), Optional.empty(), weight);
    }

    private static TrainingData open(long seed, double validation, DataSourceConfig... sources) {
        return TrainingData.open(
                new DataConfig(List.of(sources), Optional.empty(), seed, validation));
    }

    private static List<String> texts(Stream<Document> documents, int count) {
        return documents.limit(count).map(Document::question).toList();
    }

    private static Set<String> set(Stream<Document> documents, int count) {
        return Set.copyOf(
                documents.limit(count).map(Document::question).collect(Collectors.toSet()));
    }
}
