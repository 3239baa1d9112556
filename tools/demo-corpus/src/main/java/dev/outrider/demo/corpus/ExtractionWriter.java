package dev.outrider.demo.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// A table whose requested columns are rewritten as a JSON array of objects.
final class ExtractionWriter {
    /// A column: its name and how a cell is generated. Numeric cells stay numbers in JSON.
    private record Column(String name, Function<Choices, Object> cell) {}

    private static final List<List<Column>> TABLES =
            List.of(
                    List.of(
                            new Column("name", choices -> choices.pick(Lexicon.PEOPLE).name()),
                            new Column("age", choices -> choices.between(7, 90)),
                            new Column("town", choices -> choices.pick(Lexicon.TOWNS)),
                            new Column("job", choices -> choices.pick(Lexicon.JOBS))),
                    List.of(
                            new Column("item", choices -> choices.pick(Lexicon.OBJECTS)),
                            new Column("color", choices -> choices.pick(Lexicon.COLORS)),
                            new Column("price", choices -> choices.between(1, 250)),
                            new Column("stock", choices -> choices.between(0, 99))),
                    List.of(
                            new Column("from", choices -> choices.pick(Lexicon.TOWNS)),
                            new Column("to", choices -> choices.pick(Lexicon.TOWNS)),
                            new Column("day", choices -> choices.pick(Lexicon.DAYS)),
                            new Column("km", choices -> choices.between(3, 400))),
                    List.of(
                            new Column("animal", choices -> choices.pick(Lexicon.ANIMALS)),
                            new Column("owner", choices -> choices.pick(Lexicon.PEOPLE).name()),
                            new Column("weight", choices -> choices.between(1, 99)),
                            new Column("healthy", choices -> choices.chance(0.7))),
                    List.of(
                            new Column("room", choices -> choices.between(1, 60)),
                            new Column("guest", choices -> choices.pick(Lexicon.PEOPLE).name()),
                            new Column("nights", choices -> choices.between(1, 14)),
                            new Column("paid", choices -> choices.chance(0.5))));

    private ExtractionWriter() {}

    /// A table and the requested columns.
    private record Task(List<Column> columns, List<Column> wanted, List<List<Object>> rows) {
        static Task choose(Choices choices) {
            var table = choices.pick(TABLES);
            var columns =
                    inTableOrder(
                            choices.pickDistinct(table, choices.between(2, table.size())), table);
            var wanted =
                    inTableOrder(
                            choices.pickDistinct(columns, choices.between(1, columns.size())),
                            columns);
            var rows = new ArrayList<List<Object>>();
            int count = choices.between(1, 4);
            for (int row = 0; row < count; row++) {
                rows.add(columns.stream().map(column -> column.cell().apply(choices)).toList());
            }
            return new Task(columns, wanted, rows);
        }

        String table() {
            var lines = new ArrayList<String>();
            lines.add(joined(columns.stream().map(Column::name).toList()));
            rows.forEach(row -> lines.add(joined(row)));
            return String.join("\n", lines);
        }

        String fields() {
            return String.join(", ", wanted.stream().map(Column::name).toList());
        }

        /// @param indent before each object
        String json(String indent) {
            var objects = rows.stream().map(row -> indent + object(row)).toList();
            return "[\n" + String.join(",\n", objects) + "\n]";
        }

        private String object(List<Object> row) {
            var members =
                    wanted.stream()
                            .map(column -> member(column, row.get(columns.indexOf(column))))
                            .toList();
            return "{" + String.join(", ", members) + "}";
        }
    }

    static PromptAndContinuation write(Choices choices) {
        var task = Task.choose(choices);
        return new PromptAndContinuation(
                "Table:\n%s\nFields: %s\nJSON:".formatted(task.table(), task.fields()),
                "\n" + task.json("  ") + "\n");
    }

    /// Returns the same task as a source that names the requested columns first.
    static SourceAndAnswer extraction(Choices choices) {
        var task = Task.choose(choices);
        return new SourceAndAnswer(
                "%s of\n%s".formatted(task.fields(), task.table()), task.json(""));
    }

    private static List<Column> inTableOrder(List<Column> chosen, List<Column> table) {
        return table.stream().filter(chosen::contains).toList();
    }

    private static String joined(List<?> cells) {
        return String.join(" | ", cells.stream().map(String::valueOf).toList());
    }

    private static String member(Column column, Object cell) {
        return "\"%s\": %s"
                .formatted(column.name(), cell instanceof String text ? "\"" + text + "\"" : cell);
    }
}
