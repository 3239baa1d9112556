package dev.outrider.experiment.sweep;

import dev.outrider.common.Columns;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Place;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Terms;
import dev.outrider.experiment.table.VariantColumns;
import java.util.ArrayList;
import java.util.List;

/// A sweep's results as a text for people: a line for each variant of each cell.
public final class SweepTable {
    private static final String WHERE =
            "Every cell's folder holds its own table with all definitions, stage times, acceptance by position and evidence.\n";

    private SweepTable() {}

    /// The table of a merged report, with the definitions of its columns.
    public static String of(SweepMerge.SweepSummary sweep) {
        return brief(sweep) + "\n" + Terms.Legend.of(Terms.ofSweep()) + WHERE;
    }

    /// The table of a merged report, and the cells without results.
    public static String brief(SweepMerge.SweepSummary sweep) {
        var text = new StringBuilder();
        if (!sweep.question().isEmpty()) {
            text.append(sweep.question().strip()).append("\n\n");
        }
        text.append(Columns.aligned(table(sweep).shown())).append('\n');
        text.append(
                "%d of %d cells finished, %d failed, %d refused, %d excluded.\n"
                        .formatted(
                                sweep.finished(),
                                sweep.planned(),
                                sweep.failures().size(),
                                sweep.refused().size(),
                                sweep.excluded()));
        sweep.failures()
                .forEach(failure ->
                        text.append(
                                "failed: cell %d (%s): %s\n"
                                        .formatted(
                                                failure.index(),
                                                SweepPlan.PlannedCell.describe(failure.labels()),
                                                oneLine(failure.message()))));
        sweep.refused()
                .forEach(refused ->
                        text.append(
                                "refused: %s: %s\n"
                                        .formatted(refused.describe(), oneLine(refused.reason()))));
        if (sweep.revisions().size() > 1) {
            text.append("mixed revisions: ")
                    .append(String.join(", ", sweep.revisions()))
                    .append('\n');
        }
        return text.toString();
    }

    private record Row(SweepMerge.SweepSummary.Cell cell, VariantResult variant) {}

    private static Table table(SweepMerge.SweepSummary sweep) {
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(
                Column.<Row>words("cell", row -> Integer.toString(row.cell().index()))
                        .meaning("its number"));
        sweep.axes().forEach(axis -> columns.add(axis.column(row -> row.cell().labels())));
        VariantColumns.at(Place.SWEEP).forEach(column -> columns.add(column.of(Row::variant)));
        return Table.of(
                columns,
                sweep.cells().stream()
                        .flatMap(cell -> cell.variants().stream().map(each -> new Row(cell, each)))
                        .toList());
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
