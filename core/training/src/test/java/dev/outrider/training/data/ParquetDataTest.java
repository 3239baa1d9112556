package dev.outrider.training.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hardwood.InputFile;
import dev.hardwood.reader.ParquetFileReader;
import dev.outrider.chat.ChatMessage;
import dev.outrider.parquet.ThriftStruct;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.data.DataSourceConfig.RecordKind;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The files were written by pyarrow and DuckDB: `make.py` beside them.
class ParquetDataTest {
    private static final int CHANGES = Boolean.getBoolean("outrider.nightly") ? 120 : 20;

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text-none",
                "text-snappy",
                "text-gzip",
                "text-zstd",
                "text-v2",
                "text-delta"
            })
    void textsAreThoseThatWereWritten(String name) {
        assertThat(documents(name, Optional.empty()))
                .containsExactlyElementsOf(
                        IntStream.range(0, 300)
                                .mapToObj(i ->
                                        (Document)
                                                new Document.Text(
                                                        text(i), Document.Overflow.GOES_ON))
                                .toList());
    }

    private static String text(int row) {
        return "document %d ".formatted(row) + "word ".repeat(row * 7919 % 41) + "é€";
    }

    @Test
    void completionsAreReadWithTheirEnds() {
        var read = documents("completion", Optional.empty());

        assertThat(read).hasSize(40);
        assertThat(read.get(4))
                .isEqualTo(new Document.Completion("Question 4", " answer 4", false));
        assertThat(read.get(5)).isEqualTo(new Document.Completion("Question 5", " answer 5", true));
        assertThat(read.get(9)).isEqualTo(new Document.Completion("Question 9", "", false));
    }

    @Test
    void conversationsAreRead() {
        var read = documents("messages", Optional.empty());

        assertThat(read).hasSize(29);
        assertThat(read.get(0)).isEqualTo(new Document.Chat(turns(0, 1), true));
        assertThat(read.get(2)).isEqualTo(new Document.Chat(turns(2, 3), true));
        assertThat(read.get(3).question()).isEqualTo("system\nYou are 3.\nuser\nHi 3");
        assertThat(documents("conversations-duckdb", Optional.of(RecordKind.CHAT)).get(49))
                .isEqualTo(new Document.Chat(turns(49, 1), true));
    }

    private static List<ChatMessage> turns(int row, int times) {
        var turns = new ArrayList<ChatMessage>();
        for (int i = 0; i < times; i++) {
            turns.add(new ChatMessage("user", "Hi " + row));
            turns.add(new ChatMessage("assistant", "Ho " + row));
        }
        return turns;
    }

    @Test
    void theKindOfRecordsDecidesWhichColumnsAreRead() {
        assertThat(documents("messages", Optional.of(RecordKind.TEXT)).getFirst())
                .isEqualTo(new Document.Text("x", Document.Overflow.GOES_ON));
        assertThatThrownBy(() -> documents("messages", Optional.of(RecordKind.COMPLETION)))
                .hasMessageContaining(
                        "expected a column 'messages', 'conversations', 'prompt' or 'text', got"
                                + " source BYTE_ARRAY, messages.list.element.role BYTE_ARRAY");
    }

    @Test
    void parquetAndLinesMixInAnOrderOfTheSeed() throws IOException {
        Files.copy(file("text-zstd"), folder.resolve("a.parquet"));
        Files.writeString(folder.resolve("b.jsonl"), "{\"text\": \"a line\"}\n");
        var data =
                TrainingData.open(
                        new DataConfig(
                                List.of(source("a.parquet", 3), source("b.jsonl", 1)),
                                Optional.empty(),
                                5,
                                0.1));

        var drawn = data.training().limit(400).toList();

        assertThat(drawn.stream().filter(d -> d.question().equals("a line")).count())
                .isBetween(60L, 140L);
        assertThat(data.training().limit(400)).containsExactlyElementsOf(drawn);
        assertThat(drawn.stream().map(Document::question).distinct().count()).isGreaterThan(240);
        assertThat(drawn)
                .doesNotContainAnyElementsOf(
                        data.validation()
                                .limit(60)
                                .map(d ->
                                        (Document)
                                                new Document.Text(
                                                        d.question(), Document.Overflow.GOES_ON))
                                .toList());
    }

    /// Blocks are delivered in any order and several at once, but always have the same rows.
    @Test
    void blocksAreTheSameHoweverTheyAreAskedFor() throws IOException {
        var blocks = blocks(file("blocks"));
        var one = IntStream.range(0, blocks.count()).mapToObj(blocks::read).toList();
        var order = List.of(5, 2, 0, 2, 3);

        assertThat(blocks.count()).isGreaterThan(5);
        assertThat(blocks.read(order)).isEqualTo(order.stream().map(one::get).toList());
        assertThat(one.stream().flatMap(List::stream).map(Document::question))
                .containsExactlyElementsOf(
                        IntStream.range(0, 6000)
                                .mapToObj(i -> "%d ".formatted(i) + "abcdefgh".repeat(200))
                                .toList());
    }

    @Test
    void anEmptyFileHasNoBlocks() throws IOException {
        assertThat(blocks(file("empty")).count()).isZero();
    }

    @Test
    void rowsThatAreNoneAreNamed() {
        assertBroken("binary", "row 2: expected text in UTF-8, got other bytes");
        assertBroken("messages-null", "row 8: expected an object with 'messages', 'conversations'");
        assertBroken(
                "numbers", "expected a column 'messages', 'conversations', 'prompt' or 'text'");
        assertBroken("hidden", "its column 'text' cannot be told from 'nested.text' before it");
        assertBroken("text-lz4", "cannot be read as Parquet: Cannot read LZ4");
    }

    private void assertBroken(String name, String problem) {
        assertThatThrownBy(() -> documents(name, Optional.empty()))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("DATA_INVALID: '" + file(name))
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text-snappy", "text-v2", "messages", "conversations-duckdb"})
    void aFileThatIsCutOffIsRefused(String name) throws IOException {
        var bytes = Files.readAllBytes(file(name));
        for (int length = 0; length < bytes.length; length += 1 + bytes.length / 60) {
            var cut = Files.write(folder.resolve("cut.parquet"), Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> new ParquetBlocks(cut, Files.size(cut), Optional.empty()))
                    .isInstanceOf(OutriderException.class)
                    .hasMessageContaining("DATA_INVALID: '" + cut + "' cannot be read as Parquet");
        }
    }

    /// Snappy writes as many bytes as its own data say, not as many as the page's header says.
    @Test
    void aPageThatUnpacksToMoreThanItsHeaderSaysIsRefused() throws IOException {
        var bytes = Files.readAllBytes(file("text-snappy"));
        int page = firstPage();
        var rest = ByteBuffer.wrap(bytes, page, bytes.length - page).slice();
        long told = ThriftStruct.read(rest).number(2).orElseThrow();
        int data = page + rest.position();
        assertThat(ThriftStruct.varint(rest)).isEqualTo(told).isBetween(1L << 7, (1L << 14) - 2);
        bytes[data] = (byte) 0xFF;
        bytes[data + 1] = 0x7F;

        var other = Files.write(folder.resolve("other.parquet"), bytes);

        assertThatThrownBy(() -> blocks(other))
                .hasMessageContaining(
                        "cannot be read as Parquet: the page at byte %d unpacks to 16383 bytes; its header says %d"
                                .formatted(data, told));
    }

    private static int firstPage() throws IOException {
        try (var reader = ParquetFileReader.open(InputFile.of(file("text-snappy")))) {
            var text = reader.getFileMetaData().rowGroups().getFirst().columns().get(1);
            return (int) text.chunkStartOffset();
        }
    }

    /// Any byte may be changed: the reader then returns other documents or fails with a coded error, and takes little time.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "text-snappy",
                "text-gzip",
                "text-zstd",
                "text-v2",
                "text-delta",
                "messages",
                "conversations-duckdb"
            })
    void aFileWithOtherBytesIsReadOrRefused(String name) throws IOException {
        var bytes = Files.readAllBytes(file(name));
        var random = new Random(7);
        int refused = 0;
        for (int time = 0; time < CHANGES; time++) {
            var other = bytes.clone();
            int at = time % 2 == 0 ? random.nextInt(bytes.length) : headers(bytes, random);
            other[at] = (byte) (time % 5 == 0 ? 0xFF : other[at] ^ 1 << random.nextInt(8));
            var file = Files.write(folder.resolve("other.parquet"), other);
            refused +=
                    Assertions.assertTimeoutPreemptively(
                                    Duration.ofSeconds(60),
                                    () -> isRefused(file),
                                    () -> "%s, byte %d".formatted(name, at))
                            ? 1
                            : 0;
        }
        assertThat(refused).isGreaterThan(CHANGES / 12);
    }

    /// Returns a place in the footer.
    private static int headers(byte[] bytes, Random random) {
        int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
        return bytes.length - 1 - random.nextInt(Math.min(bytes.length, length + 8));
    }

    private static boolean isRefused(Path file) throws IOException {
        try {
            var blocks = blocks(file);
            for (int block = 0; block < Math.min(100, blocks.count()); block++) {
                blocks.read(block);
            }
            return false;
        } catch (OutriderException e) {
            assertThat(e).hasMessageContaining("DATA_INVALID: '" + file);
            return true;
        }
    }

    private DataSourceConfig source(String name, double weight) {
        return new DataSourceConfig(
                List.of(folder.resolve(name)), Optional.empty(), Optional.empty(), weight);
    }

    private static List<Document> documents(String name, Optional<RecordKind> kind) {
        var source = new DataSourceConfig(List.of(file(name)), Optional.empty(), kind, 1);
        return TrainingData.open(new DataConfig(List.of(source), Optional.empty(), 1, 0.1))
                .all()
                .map(TrainingData.Placed::document)
                .toList();
    }

    private static ParquetBlocks blocks(Path file) throws IOException {
        return new ParquetBlocks(file, Files.size(file), Optional.empty());
    }

    private static Path file(String name) {
        try {
            var resource = "/parquet/" + name + ".parquet";
            return Path.of(
                    Stream.of(ParquetDataTest.class.getResource(resource))
                            .findFirst()
                            .orElseThrow()
                            .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
