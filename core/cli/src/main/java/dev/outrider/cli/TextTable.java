package dev.outrider.cli;

import java.util.ArrayList;
import java.util.List;

/// Rows of text with aligned columns: the first to the left, the others to the right.
final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... heading) {
        rows.add(List.of(heading));
    }

    TextTable row(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException(
                    "%d cells in a table of %d columns"
                            .formatted(cells.length, rows.getFirst().size()));
        }
        rows.add(List.of(cells));
        return this;
    }

    /// One line a row, each ended; two spaces between columns, none at the end of a line.
    String text() {
        var text = new StringBuilder();
        for (var row : rows) {
            var line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                var padding = " ".repeat(width(column) - width(row.get(column)));
                line.append(column == 0 ? "" : "  ")
                        .append(
                                column == 0
                                        ? row.get(column) + padding
                                        : padding + row.get(column));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> width(row.get(column))).max().orElse(0);
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
