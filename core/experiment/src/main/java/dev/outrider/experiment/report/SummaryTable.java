package dev.outrider.experiment.report;

import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.AxisNames;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.VariantColumns;
import dev.outrider.experiment.table.VariantColumns.Place;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The summary of results: a row for each side of each cell, plain decoding included. Where there are several cells, it has a column for each of their
/// axes.
public final class SummaryTable {
    private SummaryTable() {}

    private record Row(Cell cell, VariantResult variant) {}

    /// The table of a page.
    public static Table ofPage(Results results) {
        return of(results, VariantColumns.at(Place.PAGE));
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
                    Column.words(
                            "comparison",
                            "comparison",
                            "folder of the results",
                            row -> row.cell().name()));
        }
        return axes.stream()
                .map(axis ->
                        Column.<Row>words(
                                "axis." + axis,
                                heading(axis, axes),
                                "axis of the sweep: " + axis,
                                row -> row.cell().labels().getOrDefault(axis, "")))
                .toList();
    }

    /// The brief name of an axis, told apart from a column of that name.
    private static String heading(String axis, Set<String> axes) {
        String brief = AxisNames.brief(axis, axes);
        return VariantColumns.ALL.stream().anyMatch(column -> column.term().heading().equals(brief))
                ? brief + " (axis)"
                : brief;
    }
}
