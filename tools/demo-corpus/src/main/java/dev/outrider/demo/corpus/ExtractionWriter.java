package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A table whose requested columns are rewritten as a JSON array of objects.
///
/// @param table  the names of the columns, and their cells
/// @param fields the requested columns
/// @param json   their cells, an object a line; numbers and truth values keep their type
record ExtractionWriter(String table, String fields, String json) {
    /// A column.
    ///
    /// @param cells as [Choices#value] takes them
    private record Column(String name, String cells) {
        static Column of(String text) {
            var parts = text.split("=", 2);
            return new Column(parts[0], parts[1]);
        }
    }

    private static ExtractionWriter choose(Choices choices) {
        var table = choices.pick(Lexicon.sentences("tables")).split(" ", -1);
        var columns = some(Stream.of(table).map(Column::of).toList(), 2, choices);
        var wanted = some(columns, 1, choices);
        var lines = new ArrayList<>(List.of(joined(columns.stream().map(Column::name), " | ")));
        var objects = new ArrayList<String>();
        int count = choices.between(1, 4);
        for (int row = 0; row < count; row++) {
            var cells = new LinkedHashMap<Column, Object>();
            columns.forEach(column -> cells.put(column, choices.value(column.cells())));
            lines.add(joined(cells.values().stream(), " | "));
            var members =
                    cells.entrySet().stream()
                            .filter(cell -> wanted.contains(cell.getKey()))
                            .map(cell -> member(cell.getKey().name(), cell.getValue()));
            objects.add("{" + joined(members, ", ") + "}");
        }
        return new ExtractionWriter(
                String.join("\n", lines),
                joined(wanted.stream().map(Column::name), ", "),
                "[\n" + String.join(",\n", objects) + "\n]");
    }

    static Document.Parts document(Choices choices) {
        var task = choose(choices);
        return new Document.Parts(
                "Table:\n%s\nFields: %s\nJSON:".formatted(task.table, task.fields),
                "\n" + task.json.replace("\n{", "\n  {") + "\n");
    }

    /// Returns the same task as a source that names the requested columns first.
    static Document.Parts pair(Choices choices) {
        var task = choose(choices);
        return new Document.Parts(task.fields + " of\n" + task.table, task.json);
    }

    /// Returns at least `least` columns, in the order of the table.
    private static List<Column> some(List<Column> table, int least, Choices choices) {
        var chosen = choices.pickDistinct(table, choices.between(least, table.size()));
        return table.stream().filter(chosen::contains).toList();
    }

    private static String member(String name, Object cell) {
        return "\"%s\": %s".formatted(name, cell instanceof String ? "\"" + cell + "\"" : cell);
    }

    private static String joined(Stream<?> cells, String between) {
        return cells.map(String::valueOf).collect(Collectors.joining(between));
    }
}
