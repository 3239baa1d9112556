package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.stats.CostPoint;
import java.util.ArrayList;
import java.util.List;

/// What a pass of the target costs by its number of rows, against one of one row.
final class CostFigure {
    static final String ID = "cost";
    static final String TITLE = "Cost of the target's pass by rows";
    private static final int MAX = 10;
    private static final double LEFT = 60;
    private static final double RIGHT = Svg.WIDTH - 10;
    private static final double TOP = 16;
    private static final double BOTTOM = 260;

    private CostFigure() {}

    private record Curve(String label, List<CostPoint> points) {}

    static Figure of(Results results) {
        var curves = new ArrayList<Curve>();
        for (Cell cell : results.cells()) {
            var points =
                    cell.report().costCurve().stream()
                            .filter(point -> point.ratio() > 0 && Double.isFinite(point.ratio()))
                            .toList();
            if (points.size() > 1) {
                curves.add(new Curve(cell.title(), points));
            }
        }
        if (curves.isEmpty()) {
            return Figure.missing(
                    ID,
                    TITLE,
                    "These results do not say what passes of different numbers of rows cost, so there is no curve.");
        }
        String caption =
                "t(n) / t(1): mean time of a target pass over n rows, the root included, against one of one row, all variants"
                        + " together. Speculation lives on a curve that rises slowly; where it rises like the dashed line, a row"
                        + " costs what a pass does."
                        + (curves.size() > MAX
                                ? " The first %d of %d curves are drawn, all are in the numbers."
                                        .formatted(MAX, curves.size())
                                : "");
        return Figure.drawn(
                ID,
                TITLE,
                caption,
                draw(curves.subList(0, Math.min(MAX, curves.size()))),
                numbers(curves));
    }

    private static Element draw(List<Curve> curves) {
        double rows = 2;
        double ratio = 1.2;
        for (Curve curve : curves) {
            for (CostPoint point : curve.points()) {
                rows = Math.max(rows, point.rows());
                ratio = Math.max(ratio, point.ratio());
            }
        }
        var x = Scale.fromZero(rows, LEFT, RIGHT);
        var y = Scale.fromZero(ratio, BOTTOM, TOP);
        var drawn = new ArrayList<Markup>();
        drawn.addAll(Axes.vertical(y, LEFT, RIGHT, "t(n) / t(1)"));
        drawn.addAll(Axes.horizontal(x, TOP, BOTTOM, "rows of the pass"));
        double end = Math.min(x.high(), y.high());
        drawn.add(Svg.line("reference", x.at(1), y.at(1), x.at(end), y.at(end)));
        for (int i = 0; i < curves.size(); i++) {
            curve(drawn, i, curves.get(i), x, y);
        }
        double legend = BOTTOM + 56;
        drawn.addAll(
                Series.legend(
                        curves.stream().map(Curve::label).toList(), LEFT, legend, RIGHT - LEFT));
        return Svg.root(ID, TITLE, legend + Series.legendHeight(curves.size()), drawn);
    }

    private static void curve(List<Markup> drawn, int series, Curve curve, Scale x, Scale y) {
        var line = new ArrayList<double[]>();
        for (CostPoint point : curve.points()) {
            line.add(new double[] {x.at(point.rows()), y.at(point.ratio())});
        }
        drawn.add(Svg.polyline(Series.line(series), line));
        for (CostPoint point : curve.points()) {
            drawn.add(
                    Svg.told(
                            Series.mark(series, x.at(point.rows()), y.at(point.ratio()), false),
                            "%s, %d rows: %s in %d passes"
                                    .formatted(
                                            curve.label(),
                                            point.rows(),
                                            Svg.number(point.ratio(), 2),
                                            point.passes())));
        }
    }

    private static String experts(CostPoint point) {
        return point.experts().isPresent() ? Svg.number(point.experts().getAsDouble(), 2) : "-";
    }

    private static List<List<String>> numbers(List<Curve> curves) {
        var numbers = new ArrayList<List<String>>();
        numbers.add(List.of("comparison", "rows", "t(n)/t(1)", "ms", "passes", "experts"));
        for (Curve curve : curves) {
            for (CostPoint point : curve.points()) {
                numbers.add(
                        List.of(
                                curve.label(),
                                Integer.toString(point.rows()),
                                Double.toString(point.ratio()),
                                Double.toString(point.meanNanos() / 1e6),
                                Long.toString(point.passes()),
                                experts(point)));
            }
        }
        return numbers;
    }
}
