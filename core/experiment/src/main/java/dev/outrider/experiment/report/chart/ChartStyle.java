package dev.outrider.experiment.report.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Optional;

/// The style sheet of drawings, and drawings as files of their own.
public final class ChartStyle {
    private static final String PROLOGUE = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

    private ChartStyle() {}

    /// The style sheet; it follows the reader's choice of light or dark on a screen and is light in print.
    public static String css() {
        try (var stream =
                Optional.ofNullable(ChartStyle.class.getResourceAsStream("chart.css"))
                        .orElseThrow(() -> new IOException("chart.css is not in the program"))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A drawing as the text of a file.
    ///
    /// @param svg an `svg` element
    public static String file(Element svg) {
        var children = new ArrayList<Markup>();
        children.add(Element.of("style").add(new Markup.Code(css())));
        children.addAll(svg.children());
        return PROLOGUE
                + MarkupWriter.write(new Element(svg.name(), svg.attributes(), children)).strip()
                + "\n";
    }
}
