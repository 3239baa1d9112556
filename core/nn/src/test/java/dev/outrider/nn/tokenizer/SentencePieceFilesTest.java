package dev.outrider.nn.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import dev.outrider.nn.tokenizer.SentencePieceFiles.SentencePieceModel.Piece;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SentencePieceFilesTest {
    private static final List<Piece> PIECES =
            List.of(
                    new Piece("<pad>", 0, Piece.CONTROL),
                    new Piece("</s>", 0, Piece.CONTROL),
                    new Piece("<unk>", 0, Piece.UNKNOWN),
                    new Piece("▁", -3, Piece.NORMAL),
                    new Piece("a", -4, Piece.NORMAL),
                    new Piece("b", -4.5f, Piece.NORMAL),
                    new Piece("c", -5, Piece.NORMAL),
                    new Piece("ab", -6, Piece.NORMAL),
                    new Piece("▁ab", -6.5f, Piece.NORMAL),
                    new Piece("bc", -6.25f, Piece.NORMAL),
                    new Piece("▁a", -5.5f, Piece.NORMAL));

    @TempDir Path directory;

    @Test
    void cutsTextsWhereThePiecesAreMostProbable() throws IOException {
        write("spiece.model", 1, PIECES);
        try (var tokenizer = HfTokenizer.load(directory)) {
            assertThat(tokenizer.vocabularySize()).isEqualTo(PIECES.size() + 100);
            var random = new Random(17);
            for (int round = 0; round < 200; round++) {
                var text = new StringBuilder();
                for (int word = 0; word < 3; word++) {
                    text.append(word == 0 ? "" : " ");
                    for (int at = 0; at <= random.nextInt(5); at++) {
                        text.append("abc".charAt(random.nextInt(3)));
                    }
                }
                var cut = best("▁" + text.toString().replace(' ', '▁'));
                cut.add(1);
                assertThat(tokenizer.encode(text.toString(), true))
                        .as(text.toString())
                        .containsExactly(cut.stream().mapToInt(id -> id).toArray());
                assertThat(tokenizer.decode(tokenizer.encode(text.toString(), true)))
                        .isEqualTo(text.toString());
            }
            assertThat(tokenizer.encode("<extra_id_99>", false)).containsExactly(PIECES.size());
        }
    }

    /// Every way to cut a text, one after the other.
    private static List<Integer> best(String text) {
        if (text.isEmpty()) {
            return new ArrayList<>();
        }
        List<Integer> best = List.of();
        for (int id = 3; id < PIECES.size(); id++) {
            var piece = PIECES.get(id).text();
            if (text.startsWith(piece)) {
                var rest = best(text.substring(piece.length()));
                rest.addFirst(id);
                if (best.isEmpty() || score(rest) > score(best)) {
                    best = rest;
                }
            }
        }
        return new ArrayList<>(best);
    }

    private static double score(List<Integer> cut) {
        return cut.stream().mapToDouble(id -> PIECES.get(id).score()).sum();
    }

    @Test
    void readsTheTwoLanguagesOfMarian() throws IOException {
        write("source.spm", 1, PIECES);
        Files.writeString(
                directory.resolve("vocab.json"),
                """
                {"</s>": 0, "<unk>": 1, "▁": 2, "a": 3, "b": 4, "c": 5, "▁ab": 6, "▁so": 7, "ca": 8, "<pad>": 9}
                """);
        try (var tokenizer = HfTokenizer.load(directory)) {
            assertThat(tokenizer.vocabularySize()).isEqualTo(10);
            assertThat(tokenizer.encode("ab ca", true))
                    .as("'ca' is of the other language alone")
                    .containsExactly(6, 2, 5, 3, 0);
            assertThat(tokenizer.decode(new int[] {7, 8, 0})).isEqualTo("soca");
            assertThat(tokenizer.isAdded(9)).isTrue();
        }
    }

    @Test
    void tokenizerJsonStandsBeforeOtherFiles() throws IOException {
        write("spiece.model", 1, PIECES);
        Files.writeString(directory.resolve("tokenizer.json"), TokenizerFiles.PLAIN);
        try (var tokenizer = HfTokenizer.load(directory)) {
            assertThat(tokenizer.vocabularySize()).isEqualTo(7);
        }
    }

    @Test
    void refusesWhatIsNoSuchModel() throws IOException {
        write("spiece.model", 2, PIECES);
        assertRefused("of kind 2; expected 1, which is Unigram");
        write("spiece.model", 1, PIECES.subList(0, 2));
        assertRefused("has no piece for the unknown");
        write("spiece.model", 1, PIECES.subList(2, 5));
        assertRefused("has no piece '</s>'");
        write("spiece.model", 1, List.of(PIECES.get(1), PIECES.get(2), PIECES.get(1)));
        assertRefused("has the piece '</s>' twice");
        write("spiece.model", 1, PIECES);
        Files.writeString(
                directory.resolve("tokenizer_config.json"), "{\"extra_ids\": 2000000000}");
        assertRefused("has extra_ids = 2000000000; expected an integer from 0 to 10000");
        Files.delete(directory.resolve("tokenizer_config.json"));
        write("source.spm", 1, PIECES);
        Files.writeString(directory.resolve("vocab.json"), "{\"a\": 0, \"b\": 7}");
        assertRefused("gives the piece 'b' the number 7; expected every number from 0 to 1 once");
    }

    @Test
    void refusesAVocabularyThatIsNone() throws IOException {
        write("source.spm", 1, PIECES);
        Files.writeString(directory.resolve("vocab.json"), "[1, 2, 3]");
        assertRefused("is not a JSON object of pieces and their numbers");
    }

    @Test
    void refusesWhatTheLibraryWouldDoOtherwise() throws IOException {
        var file = new ByteArrayOutputStream();
        file.write(bytes(1, PIECES));
        var out = CodedOutputStream.newInstance(file);
        out.writeByteArray(3, message(each -> each.writeBool(3, false)));
        out.flush();
        Files.write(directory.resolve("spiece.model"), file.toByteArray());
        assertRefused("has add_dummy_prefix = false");
    }

    @Test
    void everyCutOffFileIsACodedErrorOrATokenizer() throws IOException {
        var whole = bytes(1, PIECES);
        for (int length = 1; length <= whole.length; length++) {
            var part = Arrays.copyOf(whole, length);
            part[length / 2] ^= (byte) (length % 2 == 0 ? 0 : 0x41);
            Files.write(directory.resolve("spiece.model"), part);
            try (var tokenizer = HfTokenizer.load(directory)) {
                assertThat(tokenizer.vocabularySize()).isPositive();
            } catch (OutriderException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.TOKENIZER_INVALID);
            }
        }
    }

    private void assertRefused(String message) {
        assertThatThrownBy(() -> HfTokenizer.load(directory).close())
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining(message);
    }

    private void write(String name, int kind, List<Piece> pieces) throws IOException {
        Files.write(directory.resolve(name), bytes(kind, pieces));
    }

    private static byte[] bytes(int kind, List<Piece> pieces) throws IOException {
        var file = new ByteArrayOutputStream();
        var out = CodedOutputStream.newInstance(file);
        for (var piece : pieces) {
            out.writeByteArray(
                    1,
                    message(each -> {
                        each.writeString(1, piece.text());
                        each.writeFloat(2, piece.score());
                        each.writeEnum(3, piece.type());
                    }));
        }
        out.writeByteArray(2, message(each -> each.writeEnum(3, kind)));
        out.writeByteArray(3, message(each -> each.writeString(1, "identity")));
        out.flush();
        return file.toByteArray();
    }

    @FunctionalInterface
    private interface Writer {
        void write(CodedOutputStream out) throws IOException;
    }

    private static byte[] message(Writer writer) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = CodedOutputStream.newInstance(bytes);
        writer.write(out);
        out.flush();
        return bytes.toByteArray();
    }
}
