package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A table whose requested columns are rewritten as a JSON array of objects.
///
/// @param columns of the table
/// @param wanted  the requested columns
/// @param rows    cells by row and column; numbers and truth values keep their type in JSON
record ExtractionWriter(List<Column> columns, List<Column> wanted, List<List<Object>> rows) {
    private static final List<List<Column>> TABLES =
            Lexicon.sentences("tables").stream()
                    .map(table -> Stream.of(table.split(" ", -1)).map(Column::of).toList())
                    .toList();

    /// A column.
    ///
    /// @param cells section of words, range of numbers, or probability of true
    private record Column(String name, String cells) {
        static Column of(String text) {
            var parts = text.split("=", 2);
            return new Column(parts[0], parts[1]);
        }

        Object cell(Choices choices) {
            if (cells.contains("..")) {
                var bounds = cells.split("\\.\\.", 2);
                return choices.between(Integer.parseInt(bounds[0]), Integer.parseInt(bounds[1]));
            }
            if (cells.contains(".")) {
                return choices.chance(Double.parseDouble(cells));
            }
            return cells.equals("people")
                    ? choices.pick(Lexicon.PEOPLE).name()
                    : choices.pick(Lexicon.words(cells));
        }
    }

    private static ExtractionWriter choose(Choices choices) {
        var table = choices.pick(TABLES);
        var columns = some(table, 2, choices);
        var wanted = some(columns, 1, choices);
        var rows = new ArrayList<List<Object>>();
        int count = choices.between(1, 4);
        for (int row = 0; row < count; row++) {
            rows.add(columns.stream().map(column -> column.cell(choices)).toList());
        }
        return new ExtractionWriter(columns, wanted, rows);
    }

    static Document.Parts document(Choices choices) {
        var task = choose(choices);
        return new Document.Parts(
                "Table:\n%s\nFields: %s\nJSON:".formatted(task.table(), task.fields()),
                "\n" + task.json("  ") + "\n");
    }

    /// Returns the same task as a source that names the requested columns first.
    static Document.Parts pair(Choices choices) {
        var task = choose(choices);
        return new Document.Parts(
                "%s of\n%s".formatted(task.fields(), task.table()), task.json(""));
    }

    /// Returns at least `least` columns, in the order of the table.
    private static List<Column> some(List<Column> table, int least, Choices choices) {
        var chosen = choices.pickDistinct(table, choices.between(least, table.size()));
        return table.stream().filter(chosen::contains).toList();
    }

    private String table() {
        return Stream.concat(Stream.of(columns.stream().map(Column::name).toList()), rows.stream())
                .map(cells -> joined(cells, " | "))
                .collect(Collectors.joining("\n"));
    }

    private String fields() {
        return joined(wanted.stream().map(Column::name).toList(), ", ");
    }

    /// @param indent before each object
    private String json(String indent) {
        var objects = rows.stream().map(row -> indent + "{" + joined(members(row), ", ") + "}");
        return "[\n" + objects.collect(Collectors.joining(",\n")) + "\n]";
    }

    private List<String> members(List<Object> row) {
        return wanted.stream()
                .map(column -> {
                    var cell = row.get(columns.indexOf(column));
                    var value = cell instanceof String text ? "\"" + text + "\"" : cell;
                    return "\"%s\": %s".formatted(column.name(), value);
                })
                .toList();
    }

    private static String joined(List<?> cells, String between) {
        return cells.stream().map(String::valueOf).collect(Collectors.joining(between));
    }
}
