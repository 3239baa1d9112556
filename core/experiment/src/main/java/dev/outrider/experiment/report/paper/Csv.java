package dev.outrider.experiment.report.paper;

import dev.outrider.experiment.report.table.Column;
import dev.outrider.experiment.report.table.SummaryTable;
import dev.outrider.experiment.report.table.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Comma-separated values with every digit (RFC 4180).
///
/// Words that a spreadsheet would take for a formula get an apostrophe in front: names of prompts and plugins are not ours.
public final class Csv {
    private Csv() {}

    /// The summary; a median with its interval is three columns.
    public static String of(SummaryTable table) {
        var rows = new ArrayList<List<String>>();
        rows.add(table.columns().stream().flatMap(column -> heads(column, table)).toList());
        for (Column.Row row : table.rows()) {
            rows.add(
                    table.columns().stream()
                            .flatMap(column -> values(column.value().apply(row)))
                            .toList());
        }
        return of(rows);
    }

    /// Rows, the first their head.
    public static String of(List<List<String>> rows) {
        return rows.stream()
                .map(row ->
                        row.stream().map(Csv::field).collect(Collectors.joining(",", "", "\r\n")))
                .collect(Collectors.joining());
    }

    private static Stream<String> heads(Column column, SummaryTable table) {
        boolean span =
                table.rows().stream()
                        .anyMatch(row -> column.value().apply(row) instanceof Value.Span);
        return span
                ? Stream.of(column.key(), column.key() + "Low", column.key() + "High")
                : Stream.of(column.key());
    }

    private static Stream<String> values(Value value) {
        return switch (value) {
            case Value.Words(String words) -> Stream.of(words);
            case Value.Number number -> Stream.of(Double.toString(number.exact()));
            case Value.Span span ->
                    Stream.of(
                            Double.toString(span.exact().median()),
                            Double.toString(span.exact().low()),
                            Double.toString(span.exact().high()));
        };
    }

    private static String field(String text) {
        String safe = text.matches("(?s)[=+@\\t\\r-].*") && !number(text) ? "'" + text : text;
        return safe.matches("(?s).*[\",\\r\\n].*") ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
    }

    private static boolean number(String text) {
        return text.matches("[+-]?[0-9.]+([eE][+-]?[0-9]+)?");
    }
}
