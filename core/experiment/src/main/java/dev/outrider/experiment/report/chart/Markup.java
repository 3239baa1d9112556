package dev.outrider.experiment.report.chart;

import dev.outrider.common.Require;
import dev.outrider.common.Resource;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Set;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/// A piece of a page or of a drawing. Immutable.
public sealed interface Markup permits Element, Markup.Text, Markup.Code {
    /// Characters, escaped when written.
    ///
    /// @param text anything; characters that XML cannot hold are written as U+FFFD
    record Text(String text) implements Markup {}

    /// A style sheet or a script of our own, written as it is. It is read by an XML and by an HTML parser alike, so it contains
    /// none of the characters that they read differently.
    ///
    /// @param source without `<` and `&`
    record Code(String source) implements Markup {
        public Code {
            Require.that(
                    source.indexOf('<') < 0 && source.indexOf('&') < 0,
                    "code of a page must do without < and &");
        }
    }

    /// A page with its document type.
    static String page(Element html) {
        return "<!DOCTYPE html>\n" + write(html) + "\n";
    }

    /// One element with everything in it.
    static String write(Element root) {
        try {
            var writer = new Writer();
            writer.element(root);
            writer.xml.flush();
            return writer.text.toString();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("text in memory can always be written", e);
        }
    }

    /// Returns the style sheet of the figures.
    static String figureStyle() {
        return Resource.text(Markup.class, "chart.css");
    }

    /// Returns a drawing as a file of its own, with its style sheet.
    static String svgFile(Element svg) {
        var children = new ArrayList<Markup>();
        children.add(Element.of("style").add(new Markup.Code(figureStyle())));
        children.addAll(svg.children());
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + write(new Element(svg.name(), svg.attributes(), children)).strip()
                + "\n";
    }

    /// Writes markup as text that is well-formed XML and means the same to an HTML parser.
    final class Writer {
        private static final Set<String> VOID = Set.of("meta", "br", "input", "hr", "col");
        private static final Set<String> OWN_LINE =
                Set.of(
                        "head", "body", "section", "figure", "table", "tr", "p", "h1", "h2", "h3",
                        "g", "svg", "style", "script", "nav", "li", "meta", "rect", "line", "path");

        private final StringWriter text = new StringWriter();
        private final XMLStreamWriter xml;

        private Writer() throws XMLStreamException {
            xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
        }

        private void markup(Markup markup) throws XMLStreamException {
            switch (markup) {
                case Element element -> element(element);
                case Markup.Text(String characters) -> xml.writeCharacters(clean(characters));
                case Markup.Code(String source) -> {
                    xml.writeCharacters("");
                    xml.flush();
                    text.append('\n').append(source);
                }
            }
        }

        private void element(Element element) throws XMLStreamException {
            if (OWN_LINE.contains(element.name())) {
                xml.writeCharacters("\n");
            }
            if (VOID.contains(element.name())) {
                xml.writeEmptyElement(element.name());
                attributes(element);
                return;
            }
            xml.writeStartElement(element.name());
            attributes(element);
            // So that an element without content gets an end tag of its own: HTML knows no other.
            xml.writeCharacters("");
            for (Markup child : element.children()) {
                markup(child);
            }
            xml.writeEndElement();
        }

        private void attributes(Element element) throws XMLStreamException {
            for (var attribute : element.attributes().entrySet()) {
                xml.writeAttribute(attribute.getKey(), clean(attribute.getValue()));
            }
        }

        /// Replaces characters that XML 1.0 cannot contain, among them lone surrogates.
        private static String clean(String characters) {
            var clean = new StringBuilder(characters.length());
            characters
                    .codePoints()
                    .map(point -> allowed(point) ? point : 0xFFFD)
                    .forEach(clean::appendCodePoint);
            return clean.toString();
        }

        private static boolean allowed(int point) {
            return point == '\t'
                    || point == '\n'
                    || point >= 0x20 && point <= 0xD7FF
                    || point >= 0xE000 && point <= 0xFFFD
                    || point >= 0x10000;
        }
    }
}
