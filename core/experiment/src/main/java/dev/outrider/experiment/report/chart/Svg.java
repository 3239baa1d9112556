package dev.outrider.experiment.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Elements of SVG. Lengths are in user units, 1 of which is a CSS pixel at the drawing's own width.
final class Svg {
    /// Width of a drawing; pages show it at most this wide.
    static final double WIDTH = 720;

    /// Mean width of a character of the 12-unit sans-serif letters of drawings: for room, not for alignment.
    private static final double CHARACTER = 6.4;

    private Svg() {}

    /// A whole drawing, with a description for readers who cannot see it.
    static Element root(String id, String title, double height, List<? extends Markup> content) {
        return Element.of("svg", "chart")
                .with("xmlns", "http://www.w3.org/2000/svg")
                .with("viewBox", "0 0 " + Element.number(WIDTH) + " " + Element.number(height))
                .with("width", WIDTH)
                .with("height", height)
                .with("role", "img")
                .with("aria-labelledby", id + "-name")
                .add(Element.of("title").with("id", id + "-name").text(title))
                .add(content);
    }

    static Element line(String style, double x1, double y1, double x2, double y2) {
        return Element.of("line", style)
                .with("x1", x1)
                .with("y1", y1)
                .with("x2", x2)
                .with("y2", y2);
    }

    static Element rect(String style, double x, double y, double width, double height) {
        return Element.of("rect", style)
                .with("x", x)
                .with("y", y)
                .with("width", Math.max(0, width))
                .with("height", Math.max(0, height));
    }

    static Element path(String style, String data) {
        return Element.of("path", style).with("d", data);
    }

    /// A line through points.
    static Element polyline(String style, List<double[]> points) {
        var data = new StringBuilder();
        for (double[] point : points) {
            data.append(data.isEmpty() ? 'M' : 'L')
                    .append(Element.number(point[0]))
                    .append(' ')
                    .append(Element.number(point[1]));
        }
        return path(style, data.toString());
    }

    /// Text that begins at x.
    static Element text(String style, double x, double y, String text) {
        return Element.of("text", style).with("x", x).with("y", y).text(text);
    }

    /// Text around x.
    static Element centred(String style, double x, double y, String text) {
        return text(style, x, y, text).with("text-anchor", "middle");
    }

    /// Text that ends at x.
    static Element ending(String style, double x, double y, String text) {
        return text(style, x, y, text).with("text-anchor", "end");
    }

    /// Text that turns upwards around a point: the name of a vertical axis.
    static Element upwards(String style, double x, double y, String text) {
        return centred(style, 0, 0, text)
                .with(
                        "transform",
                        "translate(%s %s) rotate(-90)"
                                .formatted(Element.number(x), Element.number(y)));
    }

    /// The same element with a tooltip.
    static Element told(Element element, String words) {
        return element.add(Element.of("title").text(words));
    }

    /// A label that fits: the middle of a long label is left out, because labels differ at their ends; a tooltip shows the whole.
    static Element fitted(Element empty, String text, double width) {
        int most = Math.max(4, (int) (width / CHARACTER));
        int length = text.codePointCount(0, text.length());
        if (length <= most) {
            return empty.text(text);
        }
        int end = (most - 1) / 3;
        int begin = most - 1 - end;
        String cut =
                text.substring(0, text.offsetByCodePoints(0, begin))
                        + "\u2026"
                        + text.substring(text.offsetByCodePoints(text.length(), -end));
        return told(empty.text(cut), text);
    }

    /// A number for labels.
    static String number(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /// A horizontal axis at `bottom` with vertical grid lines up to `top`.
    static List<Markup> horizontal(Scale scale, double top, double bottom, String name) {
        var drawn = new ArrayList<Markup>();
        for (double tick : scale.ticks()) {
            double x = scale.at(tick);
            drawn.add(line("grid", x, top, x, bottom));
            drawn.add(centred("tick", x, bottom + 16, number(tick, scale.decimals())));
        }
        drawn.addAll(below(scale, bottom, name));
        return drawn;
    }

    /// A horizontal axis with names at 0, 1, 2, ...; about 16 of them are written.
    static List<Markup> named(Scale scale, List<String> names, double bottom, String name) {
        var drawn = new ArrayList<Markup>();
        int step = 1 + (names.size() - 1) / 16;
        for (int i = 0; i < names.size(); i += step) {
            drawn.add(centred("tick", scale.at(i), bottom + 16, names.get(i)));
        }
        drawn.addAll(below(scale, bottom, name));
        return drawn;
    }

    private static List<Markup> below(Scale scale, double bottom, String name) {
        return List.of(
                line("axis", scale.from(), bottom, scale.to(), bottom),
                centred("name", (scale.from() + scale.to()) / 2, bottom + 34, name));
    }

    /// A vertical axis at `left` with horizontal grid lines to `right`.
    static List<Markup> vertical(Scale scale, double left, double right, String name) {
        var drawn = new ArrayList<Markup>();
        for (double tick : scale.ticks()) {
            double y = scale.at(tick);
            drawn.add(line("grid", left, y, right, y));
            drawn.add(ending("tick", left - 6, y + 4, number(tick, scale.decimals())));
        }
        drawn.add(line("axis", left, scale.from(), left, scale.to()));
        drawn.add(upwards("name", left - 40, (scale.from() + scale.to()) / 2, name));
        return drawn;
    }
}
