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

/// A page as a parser of the JDK sees it, which refuses what is not well-formed.
public final class Parsed {
    private Parsed() {}

    /// Parse a page or a drawing.
    public static Document xml(String text) throws Exception {
        try {
            var builder = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
            return builder.parse(new InputSource(new StringReader(text)));
        } catch (ParserConfigurationException | SAXException e) {
            throw new AssertionError("not well-formed: " + e.getMessage(), e);
        }
    }

    /// Every element of a name.
    public static List<Element> all(Document document, String name) {
        var found = new ArrayList<Element>();
        var nodes = document.getElementsByTagName(name);
        for (int i = 0; i < nodes.getLength(); i++) {
            found.add((Element) nodes.item(i));
        }
        return found;
    }

    /// Every element below another of a name.
    public static List<Element> all(Element parent, String name) {
        var found = new ArrayList<Element>();
        var nodes = parent.getElementsByTagName(name);
        for (int i = 0; i < nodes.getLength(); i++) {
            found.add((Element) nodes.item(i));
        }
        return found;
    }

    /// The element of an id.
    public static Element byId(Document document, String id) {
        return all(document, "*").stream()
                .filter(element -> element.getAttribute("id").equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing has the id " + id));
    }
}
