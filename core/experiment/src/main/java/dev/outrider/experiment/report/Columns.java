package dev.outrider.experiment.report;

import java.util.List;
import java.util.stream.Collectors;

/// Rows of text with aligned columns.
public final class Columns {
    private Columns() {}

    /// One line a row, each ended; two spaces between columns, none at the end of a line.
    public static String aligned(List<List<String>> rows) {
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).collect(Collectors.joining());
    }

    private static String line(List<String> row, int[] widths) {
        var line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
        }
        return line.toString().stripTrailing() + "\n";
    }
}
