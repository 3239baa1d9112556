package dev.outrider.experiment.report.page;

import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.table.Column;
import dev.outrider.experiment.report.table.SummaryTable;
import dev.outrider.experiment.report.table.Value;
import java.util.ArrayList;
import java.util.List;

/// The table that a click on a heading sorts; without a script it is a table as any other.
final class SummarySection {
    private SummarySection() {}

    static Element of(SummaryTable table) {
        if (table.rows().isEmpty()) {
            return Html.section(
                    "summary",
                    "Summary",
                    List.of(Html.missing("No variant was measured, so there is no summary.")));
        }
        var head =
                Element.of("tr")
                        .add(table.columns().stream().map(each -> head(each, table)).toList());
        var body = new ArrayList<Element>();
        for (Column.Row row : table.rows()) {
            body.add(
                    Element.of("tr")
                            .add(
                                    table.columns().stream()
                                            .map(column -> cell(column, row))
                                            .toList()));
        }
        var element =
                Element.of("table", "sortable")
                        .add(Element.of("thead").add(head), Element.of("tbody").add(body));
        return Html.section(
                "summary", "Summary", List.of(Html.scrolling(element), definitions(table)));
    }

    private static Element head(Column column, SummaryTable table) {
        boolean words = column.value().apply(table.rows().getFirst()) instanceof Value.Words;
        return Element.of("th", words ? "words" : "number")
                .with("scope", "col")
                .with("data-key", column.key())
                .with("aria-sort", "none")
                .add(
                        Element.of("button")
                                .with("type", "button")
                                .with("title", column.definition())
                                .text(column.heading()));
    }

    private static Element cell(Column column, Column.Row row) {
        Value value = column.value().apply(row);
        var cell = Element.of("td");
        return switch (value) {
            case Value.Words(String words) -> cell.text(words);
            case Value.Number number ->
                    cell.with("class", "number")
                            .with("data-value", Double.toString(number.exact()))
                            .text(number.shown());
            case Value.Span span ->
                    cell.with("class", "number")
                            .with("data-value", Double.toString(span.exact().median()))
                            .with("data-low", Double.toString(span.exact().low()))
                            .with("data-high", Double.toString(span.exact().high()))
                            .text(span.shown());
        };
    }

    private static Element definitions(SummaryTable table) {
        var list = Element.of("dl");
        for (Column column : table.columns()) {
            list =
                    list.add(
                            Element.of("dt").text(column.heading()),
                            Element.of("dd").text(column.definition()));
        }
        return Html.folded("What the columns mean", list);
    }
}
