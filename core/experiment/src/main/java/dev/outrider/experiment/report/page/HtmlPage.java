package dev.outrider.experiment.report.page;

import dev.outrider.experiment.report.chart.ChartStyle;
import dev.outrider.experiment.report.chart.Figure;
import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.markup.Markup;
import dev.outrider.experiment.report.markup.MarkupWriter;
import dev.outrider.experiment.report.read.Results;
import dev.outrider.experiment.report.table.SummaryTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// The page. It loads nothing, and a browser that heeds its policy runs no other script than the one written here,
/// whatever stands in prompts and names.
public final class HtmlPage {
    private HtmlPage() {}

    /// Lay out results.
    public static String of(Results results, List<Figure> figures) {
        var sections = new ArrayList<Element>();
        sections.add(SummarySection.of(SummaryTable.of(results)));
        figures.forEach(figure -> sections.add(FigureSection.of(figure)));
        sections.add(RoundsSection.of(results));
        sections.add(EvidenceSection.of(results));
        sections.add(ProvenanceSection.of(results));
        return document(results, sections);
    }

    private static String document(Results results, List<Element> sections) {
        String style = "\n" + ChartStyle.css() + resource("page.css");
        String script = "\n" + resource("page.js");
        var head =
                Element.of("head")
                        .add(
                                Element.of("meta").with("charset", "utf-8"),
                                Element.of("meta")
                                        .with("name", "viewport")
                                        .with("content", "width=device-width, initial-scale=1"),
                                Element.of("meta")
                                        .with("name", "color-scheme")
                                        .with("content", "light dark"),
                                Element.of("meta")
                                        .with("http-equiv", "Content-Security-Policy")
                                        .with("content", policy(style, script)),
                                Element.of("title").text(results.name() + ": report"),
                                Element.of("style").add(new Markup.Code(style.substring(1))));
        var body =
                Element.of("body")
                        .add(header(results), navigation(sections))
                        .add(Element.of("main").add(sections))
                        .add(Element.of("script").add(new Markup.Code(script.substring(1))));
        return MarkupWriter.page(Element.of("html").with("lang", "en").add(head, body));
    }

    private static Element header(Results results) {
        var header = Element.of("header").add(Element.of("h1").text(results.name()));
        if (!results.question().isEmpty()) {
            header = header.add(Element.of("p", "question").text(results.question()));
        }
        for (String gap : results.gaps()) {
            header = header.add(Element.of("p", "warning").text(gap));
        }
        return header;
    }

    private static Element navigation(List<Element> sections) {
        var list = Element.of("ul");
        for (Element section : sections) {
            String id = Optional.ofNullable(section.attributes().get("id")).orElse("");
            String title =
                    section.children().getFirst() instanceof Element heading
                                    && heading.children().getFirst() instanceof Markup.Text text
                            ? text.text()
                            : id;
            list =
                    list.add(
                            Element.of("li")
                                    .add(Element.of("a").with("href", "#" + id).text(title)));
        }
        return Element.of("nav").with("aria-label", "Sections").add(list);
    }

    private static String policy(String style, String script) {
        return "default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'"
                .formatted(digest(style), digest(script));
    }

    private static String digest(String source) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(source.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static String resource(String name) {
        try (var stream =
                Optional.ofNullable(HtmlPage.class.getResourceAsStream(name))
                        .orElseThrow(() -> new IOException(name + " is not in the program"))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
