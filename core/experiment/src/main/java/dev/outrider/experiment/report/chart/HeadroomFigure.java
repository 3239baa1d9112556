package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.lab.LabReport;
import dev.outrider.experiment.lab.LabReport.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// What is kept by position of what could be: a recording's headroom.
public final class HeadroomFigure {
    private static final String ID = "headroom";
    private static final String TITLE = "Headroom by position";
    private static final int MAX = 8;
    private static final double TOP = 28;
    private static final double BOTTOM = 238;

    private HeadroomFigure() {}

    private record Line(String label, List<Position> positions) {}

    /// Draws the answers of a recording.
    public static Figure of(LabReport report) {
        var all =
                report.variants().stream()
                        .filter(variant -> !variant.positions().isEmpty())
                        .map(variant -> new Line(variant.variant(), variant.positions()))
                        .toList();
        if (all.isEmpty()) {
            return Figure.missing(
                    ID, TITLE, "Nothing was recorded, so there is no headroom to show.");
        }
        var lines = all.subList(0, Math.min(MAX, all.size()));
        int deepest = all.stream().mapToInt(line -> line.positions().size()).max().orElse(1);
        var drawn = new ArrayList<Markup>();
        var y = new Scale(0, 1, BOTTOM, TOP);
        panel(drawn, lines, y, new Scale(.5, deepest + .5, 56, 350), "kept if there");
        panel(drawn, lines, y, new Scale(.5, deepest + .5, 416, 710), "rounds that get there");
        for (int i = 0; i < lines.size(); i++) {
            var x = new Scale(.5, deepest + .5, 56, 350);
            curve(drawn, i, lines.get(i), Position::kept, x, y, false);
            curve(drawn, i, lines.get(i), Position::overlap, x, y, true);
            var right = new Scale(.5, deepest + .5, 416, 710);
            curve(drawn, i, lines.get(i), Position::reached, right, y, false);
        }
        double legend = BOTTOM + 56;
        drawn.addAll(
                Series.legend(
                        lines.stream().map(Line::label).toList(), 56, legend, Svg.WIDTH - 60));
        return Figure.drawn(
                ID,
                TITLE,
                "Left: of the rounds that get to a position, the share that keeps the guess there under the first rule (filled), and what an"
                        + " optimal coupling of p and q there would keep, sum min(p, q) (hollow). Between them is what a better rule"
                        + " could gain, above the hollow marks what only a better drafter or more guesses could. Right: the share of"
                        + " rounds that get there.",
                Svg.root(ID, TITLE, legend + Series.legendHeight(lines.size()), drawn),
                numbers(all));
    }

    private static void panel(
            List<Markup> drawn, List<Line> lines, Scale y, Scale x, String title) {
        int deepest = lines.stream().mapToInt(line -> line.positions().size()).max().orElse(1);
        drawn.addAll(Axes.vertical(y, x.from(), x.to(), "share"));
        drawn.addAll(Axes.positions(x, 1, deepest, BOTTOM, "position"));
        drawn.add(Svg.text("group", x.from(), TOP - 12, title));
    }

    private static void curve(
            List<Markup> drawn,
            int series,
            Line line,
            ToDoubleFunction<Position> share,
            Scale x,
            Scale y,
            boolean hollow) {
        var points = new ArrayList<double[]>();
        var marks = new ArrayList<Markup>();
        for (var position : line.positions()) {
            double at = x.at(position.position());
            double value = share.applyAsDouble(position);
            points.add(new double[] {at, y.at(value)});
            marks.add(
                    Svg.told(
                            Series.mark(series, at, y.at(value), hollow),
                            "%s, position %d: %s"
                                    .formatted(
                                            line.label(),
                                            position.position(),
                                            Svg.number(value, 3))));
        }
        if (!hollow && points.size() > 1) {
            drawn.add(Svg.polyline(Series.line(series), points));
        }
        drawn.addAll(marks);
    }

    private static List<List<String>> numbers(List<Line> lines) {
        var numbers = new ArrayList<List<String>>();
        numbers.add(
                List.of("variant", "position", "reached", "kept if there", "block", "coupling"));
        for (var line : lines) {
            for (var position : line.positions()) {
                numbers.add(
                        List.of(
                                line.label(),
                                Integer.toString(position.position()),
                                Double.toString(position.reached()),
                                Double.toString(position.kept()),
                                Double.toString(position.block()),
                                Double.toString(position.overlap())));
            }
        }
        return numbers;
    }
}
