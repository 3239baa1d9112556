package dev.outrider.experiment.report;

import dev.outrider.common.Resource;
import dev.outrider.common.Sha256;
import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.report.chart.Figure;
import dev.outrider.experiment.report.chart.Markup;
import dev.outrider.experiment.table.Table.Term;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/// Elements that several pages use.
public final class Html {
    private static final int MAX_ROWS = 2000;

    private Html() {}

    /// A section with its heading.
    public static Element section(String id, String title, Collection<? extends Markup> content) {
        return Element.of("section").with("id", id).add(Element.of("h2").text(title)).add(content);
    }

    /// A paragraph.
    public static Element paragraph(String text) {
        return Element.of("p").text(text);
    }

    /// A sentence that replaces missing content.
    static Element missing(String sentence) {
        return Element.of("p", "missing").text(sentence);
    }

    /// A table of words; the first row is its head.
    public static Element table(List<List<String>> rows) {
        var head =
                rows.getFirst().stream()
                        .map(cell -> Element.of("th").with("scope", "col").text(cell));
        var body =
                rows.stream()
                        .skip(1)
                        .map(row -> row(row.stream().map(cell -> Element.of("td").text(cell))));
        return table(Element.of("table"), head, body);
    }

    static Element row(Stream<Element> cells) {
        return Element.of("tr").add(cells.toList());
    }

    static Element table(Element empty, Stream<Element> head, Stream<Element> rows) {
        return scrolling(
                empty.add(
                        Element.of("thead").add(row(head)),
                        Element.of("tbody").add(rows.toList())));
    }

    /// Content that is wider than a small screen scrolls in its own frame, also by keyboard.
    static Element scrolling(Element content) {
        return Element.of("div", "scroll").with("tabindex", "0").add(content);
    }

    /// A list of definitions.
    static Element definitions(List<Term> terms) {
        return Element.of("dl")
                .add(
                        terms.stream()
                                .flatMap(term ->
                                        Stream.of(
                                                Element.of("dt").text(term.heading()),
                                                Element.of("dd").text(term.meaning())))
                                .toList());
    }

    /// The definitions of columns, shown on demand.
    static Element meanings(List<Term> terms) {
        return folded("What the columns mean", definitions(terms));
    }

    /// Content that is shown on demand.
    static Element folded(String title, Element content) {
        return Element.of("details").add(Element.of("summary").text(title), content);
    }

    /// A page of sections with style, script and the policy that allows no other. It loads nothing, and a browser that obeys
    /// its policy runs no script but this one, even if prompts or names contain one.
    public static final class Document {
        private static final String CONTENT = "content";

        private Document() {}

        /// The page.
        ///
        /// @param question shown below the title; may be empty
        /// @param warnings shown before everything else
        /// @param sections each with an id and a heading
        public static String of(
                String title, String question, List<String> warnings, List<Element> sections) {
            String style = "\n" + Markup.figureStyle() + Resource.text(Document.class, "page.css");
            String script = "\n" + Resource.text(Document.class, "page.js");
            var head =
                    Element.of("head")
                            .add(
                                    meta("charset", "utf-8"),
                                    meta("name", "viewport")
                                            .with(CONTENT, "width=device-width, initial-scale=1"),
                                    meta("name", "color-scheme").with(CONTENT, "light dark"),
                                    meta("http-equiv", "Content-Security-Policy")
                                            .with(CONTENT, policy(style, script)),
                                    Element.of("title").text(title + ": report"),
                                    Element.of("style").add(new Markup.Code(style.substring(1))));
            var body =
                    Element.of("body")
                            .add(header(title, question, warnings), navigation(sections))
                            .add(Element.of("main").add(sections))
                            .add(Element.of("script").add(new Markup.Code(script.substring(1))));
            return Markup.page(Element.of("html").with("lang", "en").add(head, body));
        }

        private static Element meta(String attribute, String value) {
            return Element.of("meta").with(attribute, value);
        }

        private static Element header(String title, String question, List<String> warnings) {
            return Element.of("header")
                    .add(Element.of("h1").text(title))
                    .add(
                            question.lines()
                                    .map(line -> Element.of("p", "question").text(line))
                                    .toList())
                    .add(
                            warnings.stream()
                                    .map(warning -> Element.of("p", "warning").text(warning))
                                    .toList());
        }

        private static Element navigation(List<Element> sections) {
            return Element.of("nav")
                    .with("aria-label", "Sections")
                    .add(Element.of("ul").add(sections.stream().map(Document::link).toList()));
        }

        private static Element link(Element section) {
            String id = section.attributes().getOrDefault("id", "");
            String title =
                    section.children().getFirst() instanceof Element heading
                                    && heading.children().getFirst() instanceof Markup.Text text
                            ? text.text()
                            : id;
            return Element.of("li").add(Element.of("a").with("href", "#" + id).text(title));
        }

        private static String policy(String style, String script) {
            return "default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'"
                    .formatted(digest(style), digest(script));
        }

        private static String digest(String source) {
            return Base64.getEncoder().encodeToString(Sha256.of(source).bytes());
        }
    }

    /// A section with a figure.
    static Element figureSection(Figure figure) {
        return section(figure.id(), figure.title(), figure(figure));
    }

    /// Returns a drawing with its caption and its numbers, or the sentence that replaces it.
    static List<Element> figure(Figure figure) {
        if (figure.drawing().isEmpty()) {
            return List.of(missing(figure.caption()));
        }
        var element =
                Element.of("figure")
                        .add(
                                scrolling(figure.drawing().get()),
                                Element.of("figcaption")
                                        .text(figure.caption().replace(" %", "\u00A0%")));
        var shown = figure.numbers().subList(0, Math.min(MAX_ROWS, figure.numbers().size()));
        return List.of(element, folded("The numbers", table(shown)));
    }
}
