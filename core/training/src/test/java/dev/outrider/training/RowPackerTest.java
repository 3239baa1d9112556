package dev.outrider.training;

import static dev.outrider.training.data.Document.Overflow.CUT;
import static dev.outrider.training.data.Document.Overflow.GOES_ON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.RowPacker.RowPosition;
import dev.outrider.training.data.Document;
import java.util.ArrayList;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RowPackerTest {
    @Test
    void aRowStartsADocumentAndDropsWhatDoesNotFit() {
        var source = DocumentSource.ofTexts(() -> Stream.of("abc", "de", "xyz"));
        try (var packer = packer(source, 6, 2, 0)) {
            assertThat(packer.next().tokens())
                    .containsExactly(1, 2, 3, 0, 4, 5, 24, 25, 26, 0, 1, 2);
            assertThat(packer.consumed()).isEqualTo(4);
        }
        try (var packer = packer(source, 6, 1, 2)) {
            assertThat(packer.next().tokens()).containsExactly(24, 25, 26, 0, 1, 2);
        }
    }

    @Test
    void whatIsLeftOfADivisibleDocumentBeginsTheNextRow() {
        DocumentSource source =
                () ->
                        Stream.of(
                                new Document.Text("abcdefgh", GOES_ON),
                                new Document.Text("xyz", CUT),
                                new Document.Text("mn", GOES_ON));
        try (var packer = packer(source, 3, 3, 0)) {
            assertThat(packer.next().tokens()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 0);
            assertThat(packer.next().tokens()).containsExactly(24, 25, 26, 13, 14, 0, 1, 2, 3);
        }
    }

    @Test
    void rowsGoOnAfterAnyBatch() {
        DocumentSource source =
                () ->
                        Stream.of(
                                new Document.Text("abcdefghijklmnopqrstuvwxyz", GOES_ON),
                                new Document.Text("xyz", CUT),
                                new Document.Text("klmnopq", GOES_ON),
                                new Document.Text("rs", GOES_ON));
        try (var whole = packer(source, 5, 2, 0)) {
            for (int batch = 0; batch < 20; batch++) {
                long position = whole.consumed();
                var next = whole.next().tokens();
                try (var resumed = packer(source, 5, 2, position)) {
                    assertThat(resumed.consumed()).isEqualTo(position);
                    assertThat(resumed.next().tokens()).isEqualTo(next);
                    assertThat(resumed.consumed()).isEqualTo(whole.consumed());
                }
            }
        }
    }

    @Test
    void noTokenOfDivisibleDocumentsIsLost() {
        DocumentSource source =
                () ->
                        Stream.of(
                                new Document.Text("abcdefg", GOES_ON),
                                new Document.Text("hij", GOES_ON));
        var seen = new ArrayList<Long>();
        try (var packer = packer(source, 4, 1, 0)) {
            for (int row = 0; row < 3; row++) {
                for (long token : packer.next().tokens()) {
                    seen.add(token);
                }
            }
        }
        assertThat(seen).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 0L, 8L, 9L, 10L, 0L);
    }

    @Test
    void onlyCompletionsAreLearnedAndTheyAreNotCutWhereARowHasRoom() {
        DocumentSource source =
                () ->
                        Stream.of(
                                new Document.Completion("ab", "cd", true),
                                new Document.Completion("e", "fg", true),
                                new Document.Completion("hijklmn", "op", true),
                                new Document.Completion("qrst", "uvwxyz", true));
        try (var packer = packer(source, 7, 3, 0)) {
            var rows = packer.next();
            assertThat(rows.tokens())
                    .containsExactly(
                            1, 2, 3, 4, 0, 0, 0, 5, 6, 7, 0, 0, 0, 0, 17, 18, 19, 20, 21, 22, 23);
            assertThat(learned(rows)).isEqualTo("--+++--" + "-+++---" + "----+++");
            assertThat(rows.learnedTokens()).isEqualTo(9);
            assertThat(packer.consumed()).isEqualTo(4);
        }
    }

    @Test
    void rowsOfCompletionsGoOnAfterAnyBatch() {
        DocumentSource source =
                () ->
                        Stream.of(
                                new Document.Completion("ab", "cd", true),
                                new Document.Completion("e", "fghi", true),
                                new Document.Completion("hijklmn", "op", true),
                                new Document.Text("abcdefghijklm", GOES_ON));
        try (var whole = packer(source, 7, 1, 0)) {
            for (int batch = 0; batch < 20; batch++) {
                long position = whole.consumed();
                var next = whole.next();
                try (var resumed = packer(source, 7, 1, position)) {
                    var again = resumed.next();
                    assertThat(again.tokens()).isEqualTo(next.tokens());
                    assertThat(again.learned()).isEqualTo(next.learned());
                    assertThat(resumed.consumed()).isEqualTo(whole.consumed());
                }
            }
        }
    }

    @Test
    void dataOfWhichNothingIsLearnedAreRefused() {
        DocumentSource source = () -> Stream.of(new Document.Completion("abcdefgh", "i", true));
        try (var packer = packer(source, 5, 1, 0)) {
            assertThatThrownBy(packer::next)
                    .isInstanceOf(OutriderException.class)
                    .hasMessageContaining(
                            "10000 documents in a row have nothing to learn within the 5 tokens of a row");
        }
    }

    private static String learned(TokenRows rows) {
        var text = new StringBuilder();
        for (boolean each : rows.learned()) {
            text.append(each ? '+' : '-');
        }
        return text.toString();
    }

    @Test
    void anEmptySourceIsRefused() {
        try (var packer = packer(Stream::of, 6, 1, 0)) {
            assertThatThrownBy(packer::next).hasMessage("the document source is empty");
        }
    }

    @Test
    void aPositionThatDoesNotFitIntoItsNumberIsRefused() {
        assertThat(RowPosition.of(new RowPosition(12_345, 678).number()))
                .isEqualTo(new RowPosition(12_345, 678));
        assertThatThrownBy(() -> new RowPosition(1L << 36, 0))
                .hasMessage("68719476736 documents and 0 tokens are too many");
        assertThatThrownBy(() -> new RowPosition(3, 1 << 27))
                .hasMessage("3 documents and 134217728 tokens are too many");
    }

    private static RowPacker packer(DocumentSource source, int rowTokens, int rows, long skip) {
        return new RowPacker(
                source,
                new DocumentEncoder(new LetterEncoder(), Optional.empty()),
                rowTokens,
                rows,
                skip);
    }
}
