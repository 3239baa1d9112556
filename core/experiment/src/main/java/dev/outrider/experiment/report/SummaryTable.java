package dev.outrider.experiment.report;

import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Place;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Value;
import dev.outrider.experiment.table.VariantColumns;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// The summary of results: a row for each variant of each cell, plain decoding included. If there are several cells, it has a
/// column for each of their axes.
public final class SummaryTable {
    private SummaryTable() {}

    private record Row(Results.Cell cell, VariantResult variant) {}

    /// The table of a page.
    public static Table ofPage(Results results) {
        return of(results, VariantColumns.at(Place.PAGE));
    }

    /// Returns the table that a click on a heading sorts; without a script it is a table as any other.
    static Element section(Results results) {
        var table = ofPage(results);
        if (table.rows().isEmpty()) {
            return Html.section(
                    "summary",
                    "Summary",
                    List.of(Html.missing("No variant was measured, so there is no summary.")));
        }
        return Html.section(
                "summary",
                "Summary",
                List.of(
                        Html.table(
                                Element.of("table", "sortable"),
                                IntStream.range(0, table.columns().size())
                                        .mapToObj(column -> head(table, column)),
                                table.rows().stream()
                                        .map(row ->
                                                Html.row(row.stream().map(SummaryTable::cell)))),
                        Html.meanings(table.columns())));
    }

    private static Element head(Table table, int column) {
        Table.Term term = table.columns().get(column);
        return Element.of("th", table.words(column) ? "words" : "number")
                .with("scope", "col")
                .with("data-key", term.key())
                .with("aria-sort", "none")
                .add(
                        Element.of("button")
                                .with("type", "button")
                                .with("title", term.meaning())
                                .text(term.heading()));
    }

    private static Element cell(Value value) {
        var cell = Element.of("td").text(value.shown());
        if (value.words()) {
            return cell;
        }
        var number = cell.with("class", "number");
        return switch (value.exact()) {
            case Number exact -> number.with("data-value", exact.toString());
            case Interval span when span.low().isPresent() ->
                    number.with("data-value", Double.toString(span.value()))
                            .with("data-low", Double.toString(span.least()))
                            .with("data-high", Double.toString(span.most()));
            case Interval span -> number.with("data-value", Double.toString(span.value()));
            default -> number;
        };
    }

    /// The table with every column.
    public static Table whole(Results results) {
        return of(results, VariantColumns.ALL);
    }

    private static Table of(Results results, List<Column<VariantResult>> chosen) {
        var columns = new ArrayList<Column<Row>>();
        if (results.several()) {
            columns.addAll(cellColumns(results));
        }
        chosen.forEach(column -> columns.add(column.of(Row::variant)));
        var rows =
                results.cells().stream()
                        .flatMap(cell ->
                                cell.report().rows().stream()
                                        .map(variant -> new Row(cell, variant)))
                        .toList();
        return Table.of(columns, rows);
    }

    private static List<Column<Row>> cellColumns(Results results) {
        var axes = new LinkedHashSet<String>();
        results.cells().forEach(cell -> axes.addAll(cell.labels().keySet()));
        if (axes.isEmpty()) {
            return List.of(
                    Column.<Row>words("comparison", row -> row.cell().name())
                            .meaning("folder of the results"));
        }
        return axes.stream()
                .map(axis ->
                        Column.<Row>words(
                                        "axis." + axis,
                                        row -> row.cell().labels().getOrDefault(axis, ""))
                                .called(heading(axis, axes))
                                .meaning("axis of the sweep: " + axis))
                .toList();
    }

    /// The brief name of an axis, told apart from a column of that name.
    private static String heading(String axis, Set<String> axes) {
        String brief = Results.AxisNames.brief(axis, axes);
        return VariantColumns.ALL.stream().anyMatch(column -> column.term().heading().equals(brief))
                ? brief + " (axis)"
                : brief;
    }
}
