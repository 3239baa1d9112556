package dev.outrider.demo.corpus.prose;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlainTextTest {
    @Test
    void typographyBecomesPlain() {
        assertThat(
                        ProsePackages.PlainText.paragraph(
                                " \u201cIt\u2019s\u00a0late\u201d\u2014\u2018so\u2019,\t1812\u201313,\n re\u2011elected \u2022\u0002_now_ "))
                .isEqualTo("\"It's late\"--'so', 1812--13, re-elected now");
    }

    @Test
    void lettersOfOtherLanguagesStay() {
        assertThat(ProsePackages.PlainText.paragraph("\u00a35 na\u00efve \u05d7\u05df"))
                .isEqualTo("\u00a35 na\u00efve \u05d7\u05df");
    }

    @Test
    void wrappedLinesAreJoinedAndEmptyOnesSeparate() {
        assertThat(
                        ProsePackages.PlainText.paragraphs(
                                Stream.of("", "one", "two", " ", "\t", "three", "")))
                .containsExactly("one two", "three");
    }
}
