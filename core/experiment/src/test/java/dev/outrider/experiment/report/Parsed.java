package dev.outrider.experiment.report;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/// A page, parsed by the JDK's parser, which refuses documents that are not well-formed.
public final class Parsed {
    private Parsed() {}

    /// Parses a page or a drawing.
    public static Document xml(String text) throws Exception {
        try {
            var builder = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
            return builder.parse(new InputSource(new StringReader(text)));
        } catch (ParserConfigurationException | SAXException e) {
            throw new AssertionError("not well-formed: " + e.getMessage(), e);
        }
    }

    /// Returns every element with a name.
    public static List<Element> all(Document document, String name) {
        var found = new ArrayList<Element>();
        var nodes = document.getElementsByTagName(name);
        for (int i = 0; i < nodes.getLength(); i++) {
            found.add((Element) nodes.item(i));
        }
        return found;
    }

    /// Returns every element with a name below another element.
    public static List<Element> all(Element parent, String name) {
        var found = new ArrayList<Element>();
        var nodes = parent.getElementsByTagName(name);
        for (int i = 0; i < nodes.getLength(); i++) {
            found.add((Element) nodes.item(i));
        }
        return found;
    }

    /// Returns the element with an id.
    public static Element byId(Document document, String id) {
        return all(document, "*").stream()
                .filter(element -> element.getAttribute("id").equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing has the id " + id));
    }
}
