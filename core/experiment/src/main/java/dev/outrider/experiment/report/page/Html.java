package dev.outrider.experiment.report.page;

import dev.outrider.experiment.report.column.Term;
import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.markup.Markup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Elements that several parts of the page use.
final class Html {
    private Html() {}

    static Element section(String id, String title, Collection<? extends Markup> content) {
        return Element.of("section").with("id", id).add(Element.of("h2").text(title)).add(content);
    }

    static Element paragraph(String text) {
        return Element.of("p").text(text);
    }

    /// A sentence where something is missing.
    static Element missing(String sentence) {
        return Element.of("p", "missing").text(sentence);
    }

    /// A table of words; the first row is its head.
    static Element table(List<List<String>> rows) {
        var body = new ArrayList<Element>();
        for (List<String> row : rows.subList(Math.min(1, rows.size()), rows.size())) {
            body.add(
                    Element.of("tr")
                            .add(row.stream().map(cell -> Element.of("td").text(cell)).toList()));
        }
        var head =
                Element.of("tr")
                        .add(
                                rows.getFirst().stream()
                                        .map(cell ->
                                                Element.of("th").with("scope", "col").text(cell))
                                        .toList());
        return scrolling(
                Element.of("table")
                        .add(Element.of("thead").add(head), Element.of("tbody").add(body)));
    }

    /// What is too wide for a small screen moves in a frame of its own, also by keyboard.
    static Element scrolling(Element content) {
        return Element.of("div", "scroll").with("tabindex", "0").add(content);
    }

    /// What words mean.
    static Element definitions(List<Term> terms) {
        var list = Element.of("dl");
        for (Term term : terms) {
            list =
                    list.add(
                            Element.of("dt").text(term.heading()),
                            Element.of("dd").text(term.meaning()));
        }
        return list;
    }

    /// Shown on demand.
    static Element folded(String title, Element content) {
        return Element.of("details").add(Element.of("summary").text(title), content);
    }
}
