package dev.outrider.experiment.report.table;

import dev.outrider.experiment.report.read.AxisNames;
import dev.outrider.experiment.report.read.Results;
import dev.outrider.experiment.report.table.Column.Row;
import dev.outrider.experiment.report.table.Value.Number;
import dev.outrider.experiment.report.table.Value.Span;
import dev.outrider.experiment.report.table.Value.Words;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// The summary of results: a row for each variant of each cell.
///
/// @param columns in order
/// @param rows    in order of cells and of their configuration
public record SummaryTable(List<Column> columns, List<Row> rows) {
    public SummaryTable {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /// The table of results; where there are several cells, with a column for each of their axes.
    public static SummaryTable of(Results results) {
        var columns = new ArrayList<Column>();
        if (results.several()) {
            columns.addAll(cellColumns(results));
        }
        columns.addAll(STANDARD);
        var rows =
                results.cells().stream()
                        .flatMap(cell -> cell.summary().stream().map(each -> new Row(cell, each)))
                        .toList();
        return new SummaryTable(columns, rows);
    }

    private static List<Column> cellColumns(Results results) {
        var axes = new LinkedHashSet<String>();
        results.cells().forEach(cell -> axes.addAll(cell.labels().keySet()));
        if (axes.isEmpty()) {
            return List.of(
                    words(
                            "comparison",
                            "comparison",
                            "folder of the results",
                            row -> row.cell().name()));
        }
        return axes.stream()
                .map(axis ->
                        words(
                                "axis." + axis,
                                heading(axis, axes),
                                "axis of the sweep: " + axis,
                                row ->
                                        Optional.ofNullable(row.cell().labels().get(axis))
                                                .orElse("")))
                .toList();
    }

    /// The brief name of an axis, told apart from a column of that name.
    private static String heading(String axis, Set<String> axes) {
        String brief = AxisNames.brief(axis, axes);
        return STANDARD.stream().anyMatch(column -> column.heading().equals(brief))
                ? brief + " (axis)"
                : brief;
    }

    private static final List<Column> STANDARD =
            List.of(
                    words(
                            "variant",
                            "variant",
                            "name in the configuration",
                            row -> row.summary().variant()),
                    words("drafter", "drafter", "what guesses", row -> row.summary().drafter()),
                    words("rule", "rule", "what accepts", row -> row.summary().rule()),
                    number(
                            "temperature",
                            "T",
                            "sampling temperature; 0 is greedy",
                            2,
                            row -> row.summary().temperature()),
                    number(
                            "tokensPerSecond",
                            "tok/s",
                            "emitted tokens over time of whole generations, prefill of target and drafter included",
                            1,
                            row -> row.summary().tokensPerSecond()),
                    new Column(
                            "speedup",
                            "speedup",
                            "time per token of plain decoding over that of the variant, paired by prompt and repetition in one"
                                    + " process; median [95 % bootstrap interval]",
                            row -> new Span(row.summary().speedup(), 2)),
                    number(
                            "predictedSpeedup",
                            "predicted",
                            "tokens per round and the mean times of this run's rounds: E[tokens] t(1) / (t_draft + t(n) + t_rest)",
                            2,
                            row -> row.summary().predictedSpeedup()),
                    number(
                            "tokensPerRound",
                            "tok/round",
                            "emitted tokens / target passes, the following token included; plain decoding is 1",
                            2,
                            row -> row.summary().tokensPerRound()),
                    number(
                            "alpha",
                            "alpha",
                            "accepts / (accepts + rejections) over the positions reached",
                            3,
                            row -> row.summary().alpha()),
                    number(
                            "draftLength",
                            "K",
                            "mean depth of the drafts",
                            1,
                            row -> draftLength(row)),
                    number(
                            "c",
                            "c",
                            "time of one draft step / of one target pass of one row",
                            3,
                            row -> row.summary().c()),
                    number(
                            "engineShare",
                            "engine",
                            "the engine's own share of a round: deciding and everything but model passes",
                            3,
                            row -> row.summary().engineShare()),
                    words(
                            "losslessness",
                            "exactness",
                            "lossless-in-law: sampled output follows the target's law; greedy-equal: ids equal plain decoding up to"
                                    + " rounding; lossy: neither",
                            row -> row.summary().losslessness()),
                    words(
                            "evidence",
                            "evidence",
                            "what the output itself says; the section on exactness has the tests",
                            SummaryTable::evidence));

    private static double draftLength(Row row) {
        return row.cell().details().sides().stream()
                .filter(side -> side.name().equals(row.summary().variant()))
                .mapToDouble(side -> side.draftLength())
                .findFirst()
                .orElse(0);
    }

    private static String evidence(Row row) {
        var summary = row.summary();
        if (summary.evidence().isPresent()) {
            return summary.evidence().get().verdict();
        }
        if (summary.temperature() != 0) {
            return "not tested";
        }
        var details = row.cell().details();
        long different =
                details.mismatches().stream()
                        .filter(mismatch -> mismatch.side().equals(summary.variant()))
                        .map(mismatch -> mismatch.prompt())
                        .distinct()
                        .count();
        return "ids equal %d/%d".formatted(details.prompts() - different, details.prompts());
    }

    private static Column words(
            String key, String heading, String definition, Function<Row, String> text) {
        return new Column(key, heading, definition, row -> new Words(text.apply(row)));
    }

    private static Column number(
            String key,
            String heading,
            String definition,
            int decimals,
            ToDoubleFunction<Row> number) {
        return new Column(
                key, heading, definition, row -> new Number(number.applyAsDouble(row), decimals));
    }
}
