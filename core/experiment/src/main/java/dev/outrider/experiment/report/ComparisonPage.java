package dev.outrider.experiment.report;

import dev.outrider.experiment.report.Html.Document;
import dev.outrider.experiment.report.Html.FigureSection;
import dev.outrider.experiment.report.ResultComparison.Difference;
import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.report.chart.Figure;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Value;
import dev.outrider.experiment.table.VariantColumns;
import dev.outrider.experiment.table.VariantColumns.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The page that sets two results against each other.
public final class ComparisonPage {
    private ComparisonPage() {}

    /// Lay out a comparison.
    public static String of(ResultComparison comparison, Figure figure) {
        var sections = new ArrayList<Element>();
        sections.add(
                Html.section(
                        "differences",
                        "Side by side",
                        List.of(
                                Html.table(rows(comparison)),
                                Html.paragraph(
                                        "First: %s. Second: %s. Speedups are over plain decoding in the same results; the difference is paired"
                                                        .formatted(
                                                                comparison.first().folder(),
                                                                comparison.second().folder())
                                                + " by prompt, with its 95 % bootstrap interval."))));
        sections.add(FigureSection.of(figure));
        sections.add(named(ProvenanceSection.of(comparison.first()), "first"));
        sections.add(named(ProvenanceSection.of(comparison.second()), "second"));
        return Document.of(
                "%s against %s".formatted(comparison.first().name(), comparison.second().name()),
                "",
                comparison.warnings(),
                sections);
    }

    /// The table of a comparison, the first row its head.
    public static List<List<String>> rows(ResultComparison comparison) {
        var columns = new ArrayList<Column<Difference>>();
        columns.add(Column.words("variant", "variant", "", Difference::label));
        columns.add(Column.number("temperature", "T", "", 2, each -> each.first().temperature()));
        columns.add(
                Column.of("prompts", "prompts", "", "", each -> new Value.Count(each.prompts())));
        columns.add(Column.words("difference", "difference", "", each -> signed(each.speedup())));
        columns.add(Column.words("verdict", "verdict", "", Difference::verdict));
        for (Column<VariantResult> column : VariantColumns.at(Place.COMPARISON)) {
            columns.add(column.of(Difference::first).called(column.term().heading() + " first"));
            columns.add(column.of(Difference::second).called("second"));
        }
        return Table.of(columns, comparison.differences()).shown();
    }

    private static String signed(Interval difference) {
        return difference.shown(number -> String.format(Locale.ROOT, "%+.2f", number));
    }

    private static Element named(Element section, String which) {
        var children = new ArrayList<>(section.children());
        children.set(0, Element.of("h2").text("Provenance of the " + which));
        return new Element(section.name(), section.attributes(), children)
                .with("id", "provenance-" + which);
    }
}
