package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.report.chart.Figure.Content;
import dev.outrider.experiment.report.chart.Figure.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /// The style of a curve.
    enum Style {
        /// A line with a mark at each point.
        MARKED,
        /// A line alone, for many points.
        LINE,
        /// Hollow marks without a line.
        HOLLOW
    }

    /// A point.
    ///
    /// @param tip shown when the pointer is on the mark
    record Point(double x, double y, String tip) {}

    /// A curve.
    ///
    /// @param series decides colour, dash and mark
    record Curve(int series, Style style, List<Point> points) {
        /// Returns shares by position from 1 on; numbers that are not finite are left out.
        static Curve byPosition(int series, Style style, String label, List<Double> shares) {
            return new Curve(
                    series,
                    style,
                    IntStream.range(0, shares.size())
                            .filter(i -> Double.isFinite(shares.get(i)))
                            .mapToObj(i -> byPosition(i, shares.get(i), label))
                            .toList());
        }

        private static Point byPosition(int index, double share, String label) {
            return new Point(
                    index,
                    share,
                    "%s, position %d: %s".formatted(label, index + 1, Svg.number(share, 3)));
        }
    }

    /// The dashed line between two points.
    record Reference(double fromX, double fromY, double toX, double toY) {}

    /// A pair of axes with its curves.
    ///
    /// @param title     above the panel; may be empty
    /// @param ticks     names of the x values 0, 1, 2, ...; empty for a numeric axis
    /// @param reference a line to compare with, if there is one
    record Panel(
            String title,
            String xName,
            Scale x,
            List<String> ticks,
            String yName,
            Scale y,
            Optional<Reference> reference,
            List<Curve> curves) {
        /// A panel with numbers on its x axis and without a reference line.
        static Panel of(
                String title, String xName, Scale x, String yName, Scale y, List<Curve> curves) {
            return new Panel(title, xName, x, List.of(), yName, y, Optional.empty(), curves);
        }

        /// The left or the right half, of shares by position.
        static Panel byPosition(
                String title, boolean right, int deepest, String yName, List<Curve> curves) {
            var x = new Scale(-.5, deepest - .5, right ? 416 : 56, right ? 710 : 350);
            return of(title, "position", x, yName, shares(), curves)
                    .named(IntStream.rangeClosed(1, deepest).mapToObj(Integer::toString).toList());
        }

        Panel reference(double fromX, double fromY, double toX, double toY) {
            var line = Optional.of(new Reference(fromX, fromY, toX, toY));
            return new Panel(title, xName, x, ticks, yName, y, line, curves);
        }

        Panel named(List<String> names) {
            return new Panel(title, xName, x, names, yName, y, reference, curves);
        }

        private List<Markup> draw() {
            var drawn = new ArrayList<Markup>(Svg.vertical(y, x.from(), x.to(), yName));
            drawn.addAll(
                    ticks.isEmpty()
                            ? Svg.horizontal(x, y.to(), y.from(), xName)
                            : Svg.named(x, ticks, y.from(), xName));
            drawn.add(Svg.fitted(Svg.text("group", x.from(), y.to() - 12, ""), title, x.to()));
            reference.ifPresent(line ->
                    drawn.add(
                            Svg.line(
                                    "reference",
                                    x.at(line.fromX()),
                                    y.at(line.fromY()),
                                    x.at(line.toX()),
                                    y.at(line.toY()))));
            curves.forEach(curve -> drawn.addAll(draw(curve)));
            return drawn;
        }

        private List<Markup> draw(Curve curve) {
            var line = new ArrayList<double[]>();
            var marks = new ArrayList<Markup>();
            for (Point point : curve.points()) {
                double at = x.at(point.x());
                line.add(new double[] {at, y.at(point.y())});
                if (curve.style() != Style.LINE) {
                    boolean hollow = curve.style() == Style.HOLLOW;
                    var mark = Series.mark(curve.series(), at, y.at(point.y()), hollow);
                    marks.add(Svg.told(mark, point.tip()));
                }
            }
            if (line.size() > 1 && curve.style() != Style.HOLLOW) {
                marks.addFirst(Svg.polyline(Series.line(curve.series()), line));
            }
            return marks;
        }
    }

    /// The horizontal scale of a panel of full width, from 0.
    static Scale horizontal(double most) {
        return Scale.fromZero(most, LEFT, RIGHT);
    }

    /// The vertical scale of a panel in the first row.
    static Scale vertical(double most) {
        return Scale.fromZero(most, BOTTOM, TOP);
    }

    /// The vertical scale of shares from 0 to 1.
    static Scale shares() {
        return new Scale(0, 1, BOTTOM, TOP);
    }

    /// Returns panels and the legend of their series.
    static Content draw(String caption, List<Panel> panels, List<String> legend, Numbers numbers) {
        var drawn = new ArrayList<Markup>();
        double below = 56;
        for (Panel panel : panels) {
            drawn.addAll(panel.draw());
            below = Math.max(below, panel.y().from() + 56);
        }
        drawn.addAll(Series.legend(legend, LEFT, below, RIGHT - LEFT));
        return new Content(caption, below + Series.legendHeight(legend.size()), drawn, numbers);
    }
}
