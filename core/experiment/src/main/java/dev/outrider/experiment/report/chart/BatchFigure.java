package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Entry;
import dev.outrider.experiment.stats.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Speedup over the number of sequences decoded together.
final class BatchFigure {
    static final String ID = "batch";
    static final String TITLE = "Speedup by batch size";
    private static final String AXIS = "batch";
    private static final int MAX = 10;
    private static final double LEFT = 60;
    private static final double RIGHT = Svg.WIDTH - 10;
    private static final double TOP = 16;
    private static final double BOTTOM = 260;

    private BatchFigure() {}

    private record Point(int batch, Interval speedup) {}

    static Figure of(Results results) {
        Map<String, List<Point>> curves = curves(results);
        var sizes = new TreeSet<Integer>();
        curves.values().forEach(points -> points.forEach(point -> sizes.add(point.batch())));
        if (sizes.size() < 2) {
            return Figure.missing(
                    ID,
                    TITLE,
                    "These results have one batch size, so there is no curve over it. A sweep with an axis batch, such as"
                            + " [1, 2, 4, 8], measures one.");
        }
        String caption =
                "Median speedup over plain decoding of equally many sequences together, with 95 % intervals. Plain"
                        + " decoding gains from a batch what speculation already uses, rows that a pass has to spare, so"
                        + " that the curve falls."
                        + (curves.size() > MAX
                                ? " The first %d of %d curves are drawn, all are in the numbers."
                                        .formatted(MAX, curves.size())
                                : "");
        return Figure.drawn(ID, TITLE, caption, draw(curves, List.copyOf(sizes)), numbers(curves));
    }

    /// By variant and by all labels but the batch.
    private static Map<String, List<Point>> curves(Results results) {
        Map<String, List<Point>> curves = new LinkedHashMap<>();
        for (Entry entry : results.entries()) {
            size(entry)
                    .ifPresent(batch ->
                            curves.computeIfAbsent(label(entry), _ -> new ArrayList<>())
                                    .add(new Point(batch, entry.variant().speedup())));
        }
        curves.values().forEach(points -> points.sort(Comparator.comparingInt(Point::batch)));
        return curves;
    }

    private static Optional<Integer> size(Entry entry) {
        return Optional.ofNullable(entry.cell().labels().get(AXIS))
                .filter(text -> text.matches("[1-9][0-9]{0,6}"))
                .map(Integer::valueOf)
                .or(() -> Optional.of(entry.cell().report().batch()));
    }

    private static String label(Entry entry) {
        String others =
                entry.cell().labels().entrySet().stream()
                        .filter(label -> !label.getKey().equals(AXIS))
                        .map(label -> label.getKey() + " " + label.getValue())
                        .collect(Collectors.joining(", "));
        return others.isEmpty() ? entry.variant().name() : others + ": " + entry.variant().name();
    }

    private static Element draw(Map<String, List<Point>> all, List<Integer> sizes) {
        var labels = all.keySet().stream().limit(MAX).toList();
        double most = 1.2;
        for (List<Point> points : all.values()) {
            for (Point point : points) {
                most = Math.max(most, point.speedup().most());
            }
        }
        var y = Scale.fromZero(most, BOTTOM, TOP);
        var x = new Scale(-.5, sizes.size() - .5, LEFT, RIGHT);
        var drawn = new ArrayList<Markup>(Axes.vertical(y, LEFT, RIGHT, "speedup"));
        for (int i = 0; i < sizes.size(); i++) {
            drawn.add(Svg.centred("tick", x.at(i), BOTTOM + 16, String.valueOf(sizes.get(i))));
        }
        drawn.add(Svg.line("axis", LEFT, BOTTOM, RIGHT, BOTTOM));
        drawn.add(
                Svg.centred("name", (LEFT + RIGHT) / 2, BOTTOM + 34, "sequences decoded together"));
        drawn.add(Svg.line("reference", LEFT, y.at(1), RIGHT, y.at(1)));
        for (int i = 0; i < labels.size(); i++) {
            curve(drawn, i, labels.get(i), all.getOrDefault(labels.get(i), List.of()), sizes, x, y);
        }
        double legend = BOTTOM + 56;
        drawn.addAll(Series.legend(labels, LEFT, legend, RIGHT - LEFT));
        return Svg.root(ID, TITLE, legend + Series.legendHeight(labels.size()), drawn);
    }

    private static void curve(
            List<Markup> drawn,
            int series,
            String label,
            List<Point> points,
            List<Integer> sizes,
            Scale x,
            Scale y) {
        var line = new ArrayList<double[]>();
        for (Point point : points) {
            double at = x.at(sizes.indexOf(point.batch()) + .06 * (series - 1));
            var speedup = point.speedup();
            line.add(new double[] {at, y.at(speedup.median())});
            drawn.add(
                    Svg.line(
                            "whisker " + Series.colour(series),
                            at,
                            y.at(speedup.least()),
                            at,
                            y.at(speedup.most())));
            drawn.add(
                    Svg.told(
                            Series.mark(series, at, y.at(speedup.median()), false),
                            "%s, batch %d: %s"
                                    .formatted(
                                            label,
                                            point.batch(),
                                            speedup.shown(number -> Svg.number(number, 2)))));
        }
        drawn.add(Svg.polyline(Series.line(series), line));
    }

    private static List<List<String>> numbers(Map<String, List<Point>> curves) {
        var numbers = new ArrayList<List<String>>();
        numbers.add(List.of("variant", "batch", "speedup", "low", "high"));
        curves.forEach((label, points) ->
                points.forEach(point -> {
                    var cells = new ArrayList<>(List.of(label, Integer.toString(point.batch())));
                    cells.addAll(point.speedup().fields());
                    numbers.add(cells);
                }));
        return numbers;
    }
}
