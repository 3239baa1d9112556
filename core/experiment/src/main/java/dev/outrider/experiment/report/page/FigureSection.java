package dev.outrider.experiment.report.page;

import dev.outrider.experiment.report.chart.Figure;
import dev.outrider.experiment.report.markup.Element;
import java.util.List;

/// A drawing with its caption and its numbers, or the sentence that says why there is none.
final class FigureSection {
    private static final int MAX_ROWS = 2000;

    private FigureSection() {}

    static Element of(Figure figure) {
        return Html.section(figure.id(), figure.title(), content(figure));
    }

    /// Without a section of its own.
    static List<Element> content(Figure figure) {
        if (figure.drawing().isEmpty()) {
            return List.of(Html.missing(figure.caption()));
        }
        var element =
                Element.of("figure")
                        .add(figure.control().stream().toList())
                        .add(
                                Html.scrolling(figure.drawing().get()),
                                Element.of("figcaption")
                                        .text(figure.caption().replace(" %", "\u00A0%")));
        var shown = figure.numbers().subList(0, Math.min(MAX_ROWS, figure.numbers().size()));
        return List.of(element, Html.folded("The numbers", Html.table(shown)));
    }
}
