package dev.outrider.experiment.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Curves over an axis, in panels beside or below one another, with one legend below them.
final class LineChart {
    /// Left edge of a panel of full width.
    static final double LEFT = 60;

    /// Right edge of a panel of full width.
    static final double RIGHT = Svg.WIDTH - 10;

    /// Upper edge of the first row of panels.
    static final double TOP = 28;

    private static final double BOTTOM = 250;

    private LineChart() {}

    /// How a curve is drawn.
    enum Style {
        /// A line with a mark at each point.
        MARKED,
        /// A line alone, for many points.
        LINE,
        /// Hollow marks without a line.
        HOLLOW
    }

    /// A point with the ends of its interval.
    ///
    /// @param tip shown when the pointer is on the mark
    record Point(double x, double y, double low, double high, String tip) {
        static Point of(double x, double y, String tip) {
            return new Point(x, y, y, y, tip);
        }
    }

    /// A curve.
    ///
    /// @param series decides colour, dash and mark
    record Curve(int series, Style style, List<Point> points) {}

    /// A pair of axes with its curves.
    ///
    /// @param title  above the panel; may be empty
    /// @param ticks  names of the x values 0, 1, 2, ...; empty for a numeric axis
    /// @param from   x and y of the first end of the dashed reference line
    /// @param to     of its other end; the same as `from` for no line
    record Panel(
            String title,
            String xName,
            Scale x,
            List<String> ticks,
            String yName,
            Scale y,
            double[] from,
            double[] to,
            List<Curve> curves) {
        /// A panel with numbers on its x axis and without a reference line.
        static Panel of(
                String title, String xName, Scale x, String yName, Scale y, List<Curve> curves) {
            return new Panel(
                    title, xName, x, List.of(), yName, y, new double[2], new double[2], curves);
        }

        Panel reference(double fromX, double fromY, double toX, double toY) {
            return new Panel(
                    title,
                    xName,
                    x,
                    ticks,
                    yName,
                    y,
                    new double[] {fromX, fromY},
                    new double[] {toX, toY},
                    curves);
        }

        Panel named(List<String> names) {
            return new Panel(title, xName, x, names, yName, y, from, to, curves);
        }

        private List<Markup> draw() {
            var drawn = new ArrayList<Markup>(Svg.vertical(y, x.from(), x.to(), yName));
            drawn.addAll(
                    ticks.isEmpty()
                            ? Svg.horizontal(x, y.to(), y.from(), xName)
                            : Svg.named(x, ticks, y.from(), xName));
            drawn.add(Svg.fitted(Svg.text("group", x.from(), y.to() - 12, ""), title, x.to()));
            if (from[0] != to[0] || from[1] != to[1]) {
                drawn.add(
                        Svg.line(
                                "reference",
                                x.at(from[0]),
                                y.at(from[1]),
                                x.at(to[0]),
                                y.at(to[1])));
            }
            curves.forEach(curve -> drawn.addAll(draw(curve)));
            return drawn;
        }

        private List<Markup> draw(Curve curve) {
            var line = new ArrayList<double[]>();
            var marks = new ArrayList<Markup>();
            for (Point point : curve.points()) {
                double at = x.at(point.x());
                line.add(new double[] {at, y.at(point.y())});
                if (point.low() < point.high()) {
                    marks.add(
                            Svg.line(
                                    "whisker " + Series.colour(curve.series()),
                                    at,
                                    y.at(point.low()),
                                    at,
                                    y.at(point.high())));
                }
                if (curve.style() != Style.LINE) {
                    boolean hollow = curve.style() == Style.HOLLOW;
                    marks.add(
                            Svg.told(
                                    Series.mark(curve.series(), at, y.at(point.y()), hollow),
                                    point.tip()));
                }
            }
            if (line.size() > 1 && curve.style() != Style.HOLLOW) {
                marks.addFirst(Svg.polyline(Series.line(curve.series()), line));
            }
            return marks;
        }
    }

    /// The vertical scale of a panel in the first row.
    static Scale vertical(double most) {
        return Scale.fromZero(most, BOTTOM, TOP);
    }

    /// The vertical scale of shares from 0 to 1.
    static Scale shares() {
        return new Scale(0, 1, BOTTOM, TOP);
    }

    /// The horizontal scale of the left or the right half for `count` positions.
    static Scale half(int count, boolean right) {
        return new Scale(-.5, count - .5, right ? 416 : 56, right ? 710 : 350);
    }

    /// The names of positions: 1, 2, 3, ...
    static List<String> positions(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(Integer::toString).toList();
    }

    /// Draws panels and the legend of their series.
    static Element draw(String id, String title, List<Panel> panels, List<String> legend) {
        var drawn = new ArrayList<Markup>();
        double below = 56;
        for (Panel panel : panels) {
            drawn.addAll(panel.draw());
            below = Math.max(below, panel.y().from() + 56);
        }
        drawn.addAll(Series.legend(legend, LEFT, below, RIGHT - LEFT));
        return Svg.root(id, title, below + Series.legendHeight(legend.size()), drawn);
    }
}
