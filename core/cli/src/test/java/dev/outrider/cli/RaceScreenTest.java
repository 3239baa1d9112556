package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.cli.RaceScreen.Panel;
import dev.outrider.cli.RaceSide.Piece;
import java.util.List;
import java.util.Optional;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RaceScreenTest {
    private static final List<Piece> DRAFTED =
            List.of(
                    new Piece("the way", Optional.of(TokenMark.ACCEPTED)),
                    new Piece(" was", Optional.of(TokenMark.CORRECTED)),
                    new Piece(" long", Optional.of(TokenMark.BONUS)),
                    Piece.plain(" and cold"));

    @Test
    void withoutColoursOriginsAreBrackets() {
        var screen = screen(List.of(Piece.plain("the way was long and cold")), DRAFTED);

        assertThat(String.join("\n", screen.lines(80, 0, false)))
                .isEqualTo(
                        """
                        heading

                        plain decoding                         | small model
                        ---------------------------------------+---------------------------------------
                        the way was long and cold              | [the way]< was>{ long} and cold
                        ---------------------------------------+---------------------------------------
                        1 tokens/s                             | 2 tokens/s

                        [accepted guess]  <correction after a rejection>  {bonus after a whole draft}
                        the end\
                        """);
    }

    @Test
    void coloursAreOfTheTokensAlone() {
        var screen = screen(List.of(Piece.plain("the way")), DRAFTED);

        assertThat(screen.lines(80, 0, true))
                .contains(
                        "the way                                | "
                                + "\u001b[32mthe way\u001b[33m was\u001b[36m long\u001b[0m and cold");
    }

    @ParameterizedTest
    @CsvSource({"80, true", "80, false", "120, true", "120, false", "20, false", "3, true"})
    void noLineReachesTheLastColumn(int columns, boolean colours) {
        var text =
                List.of(
                        Piece.plain("short words and a"),
                        new Piece("verylongword".repeat(30), Optional.of(TokenMark.ACCEPTED)),
                        Piece.plain("寿限無寿限無五劫のすりきれ".repeat(9) + "e\u0301".repeat(100)));

        var lines = screen(text, text).lines(columns, 0, colours);

        assertThat(lines)
                .allSatisfy(line -> assertThat(width(line)).isLessThan(Math.max(20, columns)));
        assertThat(lines.stream().filter(line -> line.contains(" | ")))
                .allSatisfy(line ->
                        assertThat(width(line.substring(0, line.indexOf(" | "))))
                                .isEqualTo((Math.max(20, columns) - 4) / 2));
    }

    @Test
    void wordsStayWholeWhereTheyFitAndNoCharacterIsLost() {
        var words = "In the town of Elmwood lived Dana, who was a kind gardener. ".repeat(3);

        var lines = screen(List.of(Piece.plain(words)), List.of()).lines(80, 0, false);
        var left = lines.subList(4, lines.size() - 5).stream().map(line -> line.split(" \\|")[0]);

        assertThat(String.join(" ", left.map(String::stripTrailing).toList()))
                .isEqualTo(words.stripTrailing());
    }

    @Test
    void lineEndsBreakAndControlCharactersAreShown() {
        var lines =
                screen(List.of(Piece.plain("a\n\nb\u001b[2Jc\td")), List.of()).lines(80, 0, true);

        assertThat(lines.subList(4, 7))
                .extracting(line -> line.split(" \\|")[0].strip())
                .containsExactly("a", "", "b\u241b[2Jc d");
    }

    @Test
    void aTerminalHasRoomFromTheStart() {
        assertThat(screen(List.of(), List.of()).lines(80, 24, false)).hasSize(9 + 10);
        assertThat(screen(List.of(), List.of()).lines(80, 0, false)).hasSize(9 + 1);
    }

    @ParameterizedTest
    @CsvSource({"24", "12", "9", "4"})
    void aLongTextShowsItsEndAndLeavesTheLastLines(int rows) {
        var long1 = List.of(Piece.plain("word ".repeat(500) + "last"));

        var lines = screen(long1, DRAFTED).lines(80, rows, false);

        assertThat(lines).hasSizeLessThanOrEqualTo(rows);
        assertThat(lines.getLast()).isEqualTo("the end");
        if (rows > 9) {
            assertThat(String.join("\n", lines)).contains("last ").contains("[the way]");
        }
    }

    private static int width(String line) {
        return AttributedString.fromAnsi(line).columnLength();
    }

    private static RaceScreen screen(List<Piece> left, List<Piece> right) {
        return new RaceScreen(
                List.of("heading"),
                new Panel("plain decoding", left, List.of("1 tokens/s")),
                new Panel("small model", right, List.of("2 tokens/s")),
                List.of("the end"));
    }
}
