package dev.outrider.experiment.report;

import dev.outrider.experiment.costs.OtherCosts;
import dev.outrider.experiment.costs.OtherCostsTable;
import dev.outrider.experiment.report.chart.Figure;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.table.RankingTables;
import dev.outrider.experiment.table.Table;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The summary as Markdown, with its definitions, the drawings that lie beside it, and provenance.
public final class Markdown {
    private Markdown() {}

    /// Lays out results, and the results of their rounds at other costs.
    ///
    /// @param figures the figures, whose files are named after their ids
    public static String of(Results results, List<Figure> figures, Optional<OtherCosts> costs) {
        var text = new StringBuilder("# ").append(escape(results.name())).append("\n\n");
        Stream.of(results.question(), results.shaped())
                .filter(each -> !each.isEmpty())
                .forEach(each -> text.append(escape(each)).append("\n\n"));
        results.gaps().forEach(gap -> text.append("- ").append(escape(gap)).append('\n'));
        var table = SummaryTable.ofPage(results);
        text.append(table(table));
        text.append('\n');
        for (Table.Term term : table.columns()) {
            text.append("- **%s**: %s\n".formatted(escape(term.heading()), term.meaning()));
        }
        text.append(rankings(results));
        costs.map(Markdown::otherCosts).ifPresent(text::append);
        for (Figure figure : figures) {
            text.append("\n## ").append(figure.title()).append("\n\n");
            if (figure.drawing().isPresent()) {
                text.append("![%s](%s.svg)\n\n".formatted(figure.title(), figure.id()));
            }
            text.append(escape(figure.caption())).append('\n');
        }
        text.append("\n## Provenance\n\n");
        results.cells().forEach(cell -> text.append(provenance(cell)));
        return text.toString();
    }

    private static String rankings(Results results) {
        var text = new StringBuilder();
        for (Results.Cell cell : results.cells()) {
            for (var tables : RankingTables.of(cell.report().variants())) {
                text.append(text.isEmpty() ? "\n## Which is fastest\n" : "")
                        .append('\n')
                        .append(escape(results.several() ? cell.title() + ": " : ""))
                        .append(escape(tables.conclusion()))
                        .append('\n');
                if (tables.known()) {
                    text.append('\n')
                            .append(table(tables.rankings()))
                            .append('\n')
                            .append(table(tables.pairs()));
                }
            }
            cell.report()
                    .interimAnalysis()
                    .ifPresent(interimAnalysis ->
                            text.append('\n').append(escape(interimAnalysis.shown())).append('\n'));
        }
        return text.toString();
    }

    private static String otherCosts(OtherCosts costs) {
        var text =
                new StringBuilder(
                        "\n## At other costs\n\n%s.\n\n%s\n"
                                .formatted(
                                        escape(OtherCostsTable.heading(costs)),
                                        table(OtherCostsTable.table(costs))));
        OtherCostsTable.sentences(costs)
                .forEach(each -> text.append("- ").append(escape(each)).append('\n'));
        return text.toString();
    }

    private static String table(Table table) {
        var text = new StringBuilder();
        var lines = table.shown();
        text.append(line(lines.getFirst()));
        text.append(
                IntStream.range(0, table.columns().size())
                        .mapToObj(column -> table.words(column) ? "---" : "--:")
                        .collect(Collectors.joining(" | ", "| ", " |\n")));
        lines.subList(1, lines.size()).forEach(cells -> text.append(line(cells)));
        return text.toString();
    }

    private static String line(List<String> cells) {
        return cells.stream()
                .map(Markdown::escape)
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String provenance(Results.Cell cell) {
        return cell.provenance()
                .map(from ->
                        "- %s: revision %s, configuration %s, %s, %s, %d threads, seed %d, started %s\n"
                                .formatted(
                                        escape(cell.title()),
                                        escape(from.git().shown()),
                                        escape(from.configHash()),
                                        escape(from.machine().device()),
                                        escape(from.machine().jvm()),
                                        from.machine().threads(),
                                        from.seed(),
                                        escape(from.startedAt())))
                .orElse("- %s: unknown\n".formatted(escape(cell.title())));
    }

    /// Escapes text so that Markdown and the HTML made from it show it literally, on one line.
    private static String escape(String text) {
        return text.replaceAll("\\s*\\R\\s*", " ")
                .replace("\\", "\\\\")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replaceAll("([`*_\\[\\]|#~])", "\\\\$1");
    }
}
