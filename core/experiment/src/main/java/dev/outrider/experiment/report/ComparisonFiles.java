package dev.outrider.experiment.report;

import dev.outrider.common.AtomicFile;
import dev.outrider.experiment.report.ResultComparison.Difference;
import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.report.chart.Figure;
import dev.outrider.experiment.report.chart.Figures;
import dev.outrider.experiment.report.chart.Markup;
import dev.outrider.experiment.results.ResultFolder;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Place;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Value;
import dev.outrider.experiment.table.VariantColumns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;

/// The files of a comparison of two results.
///
/// @param page     the HTML file; a CSV and an SVG file of the same name lie beside it
/// @param warnings reasons to doubt the comparison; the page begins with them
public record ComparisonFiles(Path page, List<String> warnings) {
    private static final String NAME = "comparison";

    /// Reads two results, pairs them and writes the comparison.
    ///
    /// @param out where the files go
    /// @throws OutriderException DATA_INVALID if they cannot be read or not be compared, RESULTS_NOT_WRITABLE
    public static ComparisonFiles write(Path first, Path second, Path out) {
        var comparison = ResultComparison.of(ResultReader.read(first), ResultReader.read(second));
        var speedups = new LinkedHashMap<String, Interval>();
        comparison
                .differences()
                .forEach(each -> speedups.putIfAbsent(each.label(), each.speedup()));
        var figure = Figures.differences(speedups);
        Path page = out.resolve(NAME + ".html");
        ResultFolder.writing(
                out,
                () -> {
                    AtomicFile.write(page, page(comparison, figure));
                    AtomicFile.write(out.resolve(NAME + ".csv"), Csv.of(figure.numbers()));
                    AtomicFile.write(
                            out.resolve(NAME + ".svg"),
                            Markup.svgFile(figure.drawing().orElseThrow()));
                });
        return new ComparisonFiles(page, comparison.warnings());
    }

    private static String page(ResultComparison comparison, Figure figure) {
        var sections = new ArrayList<Element>();
        sections.add(
                Html.section(
                        "differences",
                        "Side by side",
                        List.of(
                                Html.table(rows(comparison)),
                                Html.paragraph(
                                        "First: %s. Second: %s. Speedups are over plain decoding in the same results; the difference is paired by prompt, with its 95 %% bootstrap interval."
                                                .formatted(
                                                        comparison.first().folder(),
                                                        comparison.second().folder())))));
        sections.add(Html.figureSection(figure));
        sections.add(named(ProvenanceSection.of(comparison.first()), "first"));
        sections.add(named(ProvenanceSection.of(comparison.second()), "second"));
        return Html.Document.of(
                "%s against %s".formatted(comparison.first().name(), comparison.second().name()),
                "",
                comparison.warnings(),
                sections);
    }

    /// The table of a comparison, the first row its head.
    static List<List<String>> rows(ResultComparison comparison) {
        var columns = new ArrayList<Column<Difference>>();
        columns.add(Column.words("variant", Difference::label));
        columns.add(Column.number("T", 2, each -> each.first().temperature()));
        columns.add(Column.of("prompts", each -> Value.count(each.prompts())));
        columns.add(
                Column.words(
                        "difference",
                        each ->
                                each.speedup()
                                        .shown(by -> String.format(Locale.ROOT, "%+.2f", by))));
        columns.add(Column.words("verdict", Difference::verdict));
        for (Column<VariantResult> column : VariantColumns.at(Place.COMPARISON)) {
            columns.add(column.of(Difference::first).called(column.term().heading() + " first"));
            columns.add(column.of(Difference::second).called("second"));
        }
        return Table.of(columns, comparison.differences()).shown();
    }

    private static Element named(Element section, String which) {
        var children = new ArrayList<>(section.children());
        children.set(0, Element.of("h2").text("Provenance of the " + which));
        return new Element(section.name(), section.attributes(), children)
                .with("id", "provenance-" + which);
    }
}
