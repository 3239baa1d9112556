package dev.outrider.experiment.report.chart;

import java.util.ArrayList;
import java.util.List;

/// The look of the n-th series: its own shape, dash and colour.
final class Series {
    private static final int COLOURS = 8;
    private static final int DASHES = 4;
    private static final double LEGEND_LINE = 18;

    private Series() {}

    /// A mark at a point.
    ///
    /// @param hollow whether only its outline is drawn
    static Element mark(int series, double x, double y, boolean hollow) {
        String style = (hollow ? "mark hollow " : "mark ") + colour(series);
        double r = 4.5;
        return switch (Math.floorMod(series, 6)) {
            case 0 -> circle(style, x, y, r);
            case 1 -> Svg.rect(style, x - r * .9, y - r * .9, r * 1.8, r * 1.8);
            case 2 -> polygon(style, x, y, 0, -1.25 * r, 1.15 * r, .9 * r, -1.15 * r, .9 * r);
            case 3 -> polygon(style, x, y, 0, -1.3 * r, 1.3 * r, 0, 0, 1.3 * r, -1.3 * r, 0);
            case 4 -> polygon(style, x, y, 0, 1.25 * r, 1.15 * r, -.9 * r, -1.15 * r, -.9 * r);
            case 5 -> plus(style, x, y, 1.25 * r, .45 * r);
            default -> throw new IllegalStateException("a remainder of 6");
        };
    }

    /// The class of a line.
    static String line(int series) {
        return "curve %s d%d".formatted(colour(series), Math.floorMod(series, DASHES));
    }

    /// The class of a colour.
    static String colour(int series) {
        return "s" + Math.floorMod(series, COLOURS);
    }

    /// Marks with their names, one below the other.
    static List<Markup> legend(List<String> names, double x, double y, double width) {
        var legend = new ArrayList<Markup>();
        for (int i = 0; i < names.size(); i++) {
            double middle = y + i * LEGEND_LINE;
            legend.add(Svg.line(line(i), x, middle, x + 28, middle));
            legend.add(mark(i, x + 14, middle, false));
            legend.add(
                    Svg.fitted(
                            Svg.text("label", x + 36, middle + 4, ""), names.get(i), width - 36));
        }
        return legend;
    }

    /// Height of a legend.
    static double legendHeight(int names) {
        return names * LEGEND_LINE;
    }

    private static Element circle(String style, double x, double y, double radius) {
        return Element.of("circle", style).with("cx", x).with("cy", y).with("r", radius);
    }

    private static Element polygon(String style, double x, double y, double... offsets) {
        var data = new StringBuilder();
        for (int i = 0; i < offsets.length; i += 2) {
            data.append(i == 0 ? 'M' : 'L')
                    .append(Element.number(x + offsets[i]))
                    .append(' ')
                    .append(Element.number(y + offsets[i + 1]));
        }
        return Svg.path(style, data.append('Z').toString());
    }

    private static Element plus(String style, double x, double y, double arm, double half) {
        return polygon(
                style, x, y, -half, -arm, half, -arm, half, -half, arm, -half, arm, half, half,
                half, half, arm, -half, arm, -half, half, -arm, half, -arm, -half, -half, -half);
    }
}
