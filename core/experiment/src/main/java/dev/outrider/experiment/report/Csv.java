package dev.outrider.experiment.report;

import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Comma-separated values with every digit (RFC 4180).
///
/// Words that a spreadsheet would read as a formula get an apostrophe in front: names of prompts and plugins are untrusted.
public final class Csv {
    private Csv() {}

    /// A table; a median with its interval is three columns.
    public static String of(Table table) {
        var rows = new ArrayList<List<String>>();
        rows.add(
                IntStream.range(0, table.columns().size())
                        .boxed()
                        .flatMap(column -> heads(table, column))
                        .toList());
        for (List<Value> row : table.rows()) {
            rows.add(
                    IntStream.range(0, row.size())
                            .boxed()
                            .flatMap(column -> fields(row.get(column), table.fields(column)))
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

    /// A value that is absent is absent in every field of its column.
    private static Stream<String> fields(Value value, int count) {
        var fields = value.fields();
        return Stream.concat(
                fields.stream(), Collections.nCopies(count - fields.size(), "").stream());
    }

    private static Stream<String> heads(Table table, int column) {
        String key = table.columns().get(column).key();
        return table.fields(column) == 3
                ? Stream.of(key, key + "Low", key + "High")
                : Stream.of(key);
    }

    private static String field(String text) {
        String safe = text.matches("(?s)[=+@\\t\\r-].*") && !number(text) ? "'" + text : text;
        return safe.matches("(?s).*[\",\\r\\n].*") ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
    }

    private static boolean number(String text) {
        return text.matches("[+-]?[0-9.]+([eE][+-]?[0-9]+)?");
    }
}
