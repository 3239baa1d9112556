package dev.outrider.experiment.report;

import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Table.Term;
import dev.outrider.experiment.table.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// The table that a click on a heading sorts; without a script it is a table as any other.
final class SummarySection {
    private SummarySection() {}

    static Element of(Table table) {
        if (table.rows().isEmpty()) {
            return Html.section(
                    "summary",
                    "Summary",
                    List.of(Html.missing("No variant was measured, so there is no summary.")));
        }
        var head =
                Element.of("tr")
                        .add(
                                IntStream.range(0, table.columns().size())
                                        .mapToObj(column -> head(table, column))
                                        .toList());
        var body = new ArrayList<Element>();
        for (List<Value> row : table.rows()) {
            body.add(Element.of("tr").add(row.stream().map(SummarySection::cell).toList()));
        }
        var element =
                Element.of("table", "sortable")
                        .add(Element.of("thead").add(head), Element.of("tbody").add(body));
        return Html.section(
                "summary",
                "Summary",
                List.of(
                        Html.scrolling(element),
                        Html.folded("What the columns mean", Html.definitions(table.columns()))));
    }

    private static Element head(Table table, int column) {
        Term term = table.columns().get(column);
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
        return switch (value) {
            case Value.Words _, Value.Finding _ -> cell;
            case Value.Absent _, Value.Series _ -> cell.with("class", "number");
            case Value.Number(double number, int _) -> number(cell, number);
            case Value.Count(long number) -> number(cell, number);
            case Value.Share(double number) -> number(cell, number);
            case Value.Base(Interval span) -> span(number(cell, span.median()), span);
            case Value.Factor(var ratio, int _) -> number(cell, ratio.mean());
            case Value.Span(Interval span, int _) -> span(number(cell, span.median()), span);
        };
    }

    private static Element span(Element cell, Interval span) {
        return span.low().isEmpty()
                ? cell
                : cell.with("data-low", Double.toString(span.least()))
                        .with("data-high", Double.toString(span.most()));
    }

    private static Element number(Element cell, double value) {
        return cell.with("class", "number").with("data-value", Double.toString(value));
    }
}
