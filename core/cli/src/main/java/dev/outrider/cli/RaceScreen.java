package dev.outrider.cli;

import dev.outrider.cli.RaceSide.Piece;
import dev.outrider.common.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jline.utils.WCWidth;

/// The picture of a race as lines of text: two panels side by side. Widths are those of a terminal: a wide character takes two columns, a
/// combining one none.
///
/// @param heading paragraphs above the panels
/// @param left    the panel of plain decoding
/// @param right   the panel of speculative decoding
/// @param footer  paragraphs below the panels
record RaceScreen(List<String> heading, Panel left, Panel right, List<String> footer) {
    private static final String MIDDLE = " | ";
    private static final int NARROWEST = 20;

    /// Rows of a text on a terminal at the start, if there is room.
    private static final int ROWS = 10;

    private static final List<Piece> LEGEND =
            List.of(
                    new Piece("accepted guess", Optional.of(TokenMark.ACCEPTED)),
                    Piece.plain("  "),
                    new Piece("correction after a rejection", Optional.of(TokenMark.CORRECTED)),
                    Piece.plain("  "),
                    new Piece("bonus after a whole draft", Optional.of(TokenMark.BONUS)));

    /// One side.
    ///
    /// @param numbers lines below the text, as many on both sides
    record Panel(String title, List<Piece> text, List<String> numbers) {}

    /// The content of at most two columns.
    ///
    /// @param text  one code point
    /// @param width columns
    private record Cell(String text, int width, Optional<TokenMark> mark) {}

    /// Returns the lines, none wider than `columns - 1`: with a character in the last column, some terminals begin a new line.
    ///
    /// @param columns width of the terminal; 20 if it is less
    /// @param rows    most lines; a longer text shows its last lines; 0 for any number of lines
    /// @param colours whether origins are shown by colours; otherwise by brackets
    List<String> lines(int columns, int rows, boolean colours) {
        int width = Math.max(NARROWEST, columns) - 1;
        int half = (width - MIDDLE.length()) / 2;
        var brush = new Brush(width, half, colours);
        var rule = "-".repeat(half) + "-+-" + "-".repeat(half);
        var above = new ArrayList<String>();
        heading.forEach(each -> above.addAll(brush.paragraph(List.of(Piece.plain(each)))));
        above.add("");
        above.add(brush.beside(left.title, right.title));
        above.add(rule);
        var below = new ArrayList<String>();
        below.add(rule);
        for (int index = 0; index < left.numbers.size(); index++) {
            below.add(brush.beside(left.numbers.get(index), right.numbers.get(index)));
        }
        below.add("");
        below.addAll(brush.paragraph(LEGEND));
        footer.forEach(each -> below.addAll(brush.paragraph(List.of(Piece.plain(each)))));
        var leftText = brush.wrapped(left.text, half);
        var rightText = brush.wrapped(right.text, half);
        int needed = Math.max(leftText.size(), rightText.size());
        int room = rows == 0 ? needed : Math.max(1, rows - above.size() - below.size());
        int shown = Math.min(room, Math.max(needed, rows == 0 ? 0 : ROWS));
        var lines = new ArrayList<>(above);
        for (int row = 0; row < shown; row++) {
            lines.add(brush.beside(row(leftText, shown, row), row(rightText, shown, row)));
        }
        lines.addAll(below);
        return rows == 0 ? lines : lines.subList(Math.max(0, lines.size() - rows), lines.size());
    }

    /// Returns one of the last rows of a text.
    private static List<Cell> row(List<List<Cell>> text, int shown, int row) {
        int index = Math.max(0, text.size() - shown) + row;
        return index < text.size() ? text.get(index) : List.of();
    }

    /// Breaks texts into lines and draws them.
    private record Brush(int width, int half, boolean colours) {
        List<String> paragraph(List<Piece> pieces) {
            return wrapped(pieces, width).stream()
                    .map(line -> drawn(line).stripTrailing())
                    .toList();
        }

        /// Returns the first lines of two texts, side by side.
        String beside(String one, String other) {
            return beside(
                    wrapped(List.of(Piece.plain(one)), half).getFirst(),
                    wrapped(List.of(Piece.plain(other)), half).getFirst());
        }

        String beside(List<Cell> one, List<Cell> other) {
            return (drawn(one) + " ".repeat(half - width(one)) + MIDDLE + drawn(other))
                    .stripTrailing();
        }

        private String drawn(List<Cell> cells) {
            var text = new StringBuilder();
            Optional<TokenMark> last = Optional.empty();
            for (var cell : cells) {
                if (colours && !cell.mark.equals(last)) {
                    text.append(cell.mark.map(TokenMark::colour).orElse(TokenMark.RESET));
                    last = cell.mark;
                }
                text.append(cell.text);
            }
            return last.isPresent() ? text + TokenMark.RESET : text.toString();
        }

        /// Breaks text at spaces, and if necessary within words. There is at least one line.
        List<List<Cell>> wrapped(List<Piece> pieces, int limit) {
            var lines = new ArrayList<List<Cell>>();
            var line = new ArrayList<Cell>();
            int word = 0; // where the last word of the line begins
            for (var cell : cells(pieces)) {
                boolean end = cell.text.equals("\n");
                boolean space = cell.text.equals(" ");
                boolean full = width(line) + cell.width > limit;
                if (end || full) {
                    var carried =
                            line.subList(
                                    end || space || word == 0 ? line.size() : word, line.size());
                    var next = new ArrayList<>(carried);
                    carried.clear();
                    lines.add(line);
                    line = next;
                    word = 0;
                }
                if (!end && !(full && space)) {
                    line.add(cell);
                    word = space ? line.size() : word;
                }
            }
            lines.add(line);
            return lines;
        }

        private List<Cell> cells(List<Piece> pieces) {
            return pieces.stream()
                    .flatMap(piece ->
                            PrintableText.of(piece.shown(colours))
                                    .replace('\t', ' ')
                                    .codePoints()
                                    .mapToObj(point ->
                                            new Cell(
                                                    Character.toString(point),
                                                    Math.max(0, WCWidth.wcwidth(point)),
                                                    piece.mark())))
                    .toList();
        }

        private static int width(List<Cell> cells) {
            return cells.stream().mapToInt(Cell::width).sum();
        }
    }
}
