package dev.outrider.common;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Rows of text with aligned columns: one line per row, each ended; two spaces between columns,
/// none at the end of a line. Not thread-safe.
public final class Columns {
    private final List<List<String>> rows = new ArrayList<>();

    private Columns(List<String> heading) {
        rows.add(List.copyOf(heading));
    }

    /// Returns a table with a heading.
    public static Columns of(String... heading) {
        return new Columns(List.of(heading));
    }

    /// Adds a row.
    ///
    /// @param cells shown as [String#valueOf] writes them
    /// @throws IllegalArgumentException if their number differs from the heading's
    public Columns row(Object... cells) {
        Require.that(
                cells.length == rows.getFirst().size(),
                "%d cells in a table of %d columns",
                cells.length,
                rows.getFirst().size());
        rows.add(Arrays.stream(cells).map(String::valueOf).toList());
        return this;
    }

    /// Returns the rows, the first column left-aligned and the others right-aligned.
    public String text() {
        return lines(rows, true);
    }

    /// Returns rows of any lengths, all columns left-aligned.
    public static String aligned(List<List<String>> rows) {
        return lines(rows, false);
    }

    private static String lines(List<List<String>> rows, boolean numbers) {
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[columns];
        for (var row : rows) {
            for (int column = 0; column < row.size(); column++) {
                widths[column] = Math.max(widths[column], width(row.get(column)));
            }
        }
        var text = new StringBuilder();
        for (var row : rows) {
            var line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                var cell = row.get(column);
                var padding = " ".repeat(widths[column] - width(cell));
                line.append(column == 0 ? "" : "  ")
                        .append(numbers && column > 0 ? padding + cell : cell + padding);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
