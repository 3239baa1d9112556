package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.report.chart.TrainingCurve.Calibration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Curves of a training run over its steps: losses, shares between 0 and 1, every other measure, speed; and how reliable a confidence head
/// has become.
public final class TrainingFigures {
    private static final String LOSS = "loss";
    private static final String VALIDATION = "validationLoss";
    private static final String SPEED = "tokensPerSecond";
    private static final String RATE = "lr";
    private static final Set<String> COMMON = Set.of(LOSS, VALIDATION, SPEED, RATE, "tokens");

    /// More points would not be told apart.
    private static final int MAX_POINTS = 600;

    /// Curves with few points have marks.
    private static final int MAX_MARKS = 60;

    private static final double LEFT = 60;
    private static final double RIGHT = Svg.WIDTH - 10;
    private static final double TOP = 16;
    private static final double BOTTOM = 260;

    private TrainingFigures() {}

    /// All drawings of a run.
    public static List<Figure> of(TrainingCurve run) {
        var measures =
                run.keys().stream()
                        .filter(key -> !COMMON.contains(key) && !Calibration.isKey(key))
                        .toList();
        var shares = measures.stream().filter(key -> most(run, List.of(key)) <= 1).toList();
        var figures = new ArrayList<Figure>();
        figures.add(
                figure(
                        run,
                        LOSS,
                        "Loss",
                        "Nats a token: of every step that the curve has, and of the validation rows.",
                        List.of(LOSS, VALIDATION)));
        if (!shares.isEmpty()) {
            figures.add(
                    figure(
                            run,
                            "shares",
                            "Shares",
                            "Measures between 0 and 1, over the validation rows.",
                            shares));
        }
        for (String measure : measures) {
            if (!shares.contains(measure)) {
                figures.add(
                        figure(
                                run,
                                "measure-" + measure.replaceAll("[^A-Za-z0-9]+", "-"),
                                measure,
                                "Over the validation rows.",
                                List.of(measure)));
            }
        }
        Calibration.of(run).map(ReliabilityFigure::of).ifPresent(figures::add);
        figures.add(
                figure(
                        run,
                        "speed",
                        "Tokens per second",
                        "Of single steps, validation and checkpoints not counted.",
                        List.of(SPEED)));
        figures.add(figure(run, "rate", "Learning rate", "Of every step.", List.of(RATE)));
        return figures;
    }

    private static Figure figure(
            TrainingCurve run, String id, String title, String caption, List<String> keys) {
        var shown = keys.stream().filter(key -> !run.with(key).isEmpty()).toList();
        if (shown.isEmpty()) {
            return Figure.missing(id, title, "The run has not written any yet.");
        }
        return Figure.drawn(id, title, caption, draw(run, id, title, shown), numbers(run, shown));
    }

    private static double most(TrainingCurve run, List<String> keys) {
        return keys.stream()
                .flatMap(key -> run.with(key).stream().map(point -> value(point, key)))
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
    }

    private static Element draw(TrainingCurve run, String id, String title, List<String> keys) {
        long last = run.points().stream().mapToLong(TrainingCurve.Point::step).max().orElse(1);
        var x = Scale.fromZero(last, LEFT, RIGHT);
        var y = Scale.fromZero(most(run, keys), BOTTOM, TOP);
        var drawn = new ArrayList<Markup>();
        drawn.addAll(Axes.vertical(y, LEFT, RIGHT, title.toLowerCase(Locale.ROOT)));
        drawn.addAll(Axes.horizontal(x, TOP, BOTTOM, "step"));
        for (int series = 0; series < keys.size(); series++) {
            curve(drawn, series, run, keys.get(series), x, y);
        }
        double legend = BOTTOM + 56;
        drawn.addAll(Series.legend(keys, LEFT, legend, RIGHT - LEFT));
        return Svg.root(id, title, legend + Series.legendHeight(keys.size()), drawn);
    }

    private static void curve(
            List<Markup> drawn, int series, TrainingCurve run, String key, Scale x, Scale y) {
        var points = thinned(run.with(key));
        var line = new ArrayList<double[]>();
        for (var point : points) {
            line.add(new double[] {x.at(point.step()), y.at(value(point, key))});
        }
        drawn.add(Svg.polyline(Series.line(series), line));
        if (points.size() > MAX_MARKS) {
            return;
        }
        for (var point : points) {
            drawn.add(
                    Svg.told(
                            Series.mark(series, x.at(point.step()), y.at(value(point, key)), false),
                            "%s after step %d: %s"
                                    .formatted(key, point.step(), value(point, key))));
        }
    }

    private static List<TrainingCurve.Point> thinned(List<TrainingCurve.Point> points) {
        int every = 1 + (points.size() - 1) / MAX_POINTS;
        var some = new ArrayList<TrainingCurve.Point>();
        for (int i = (points.size() - 1) % every; i < points.size(); i += every) {
            some.add(points.get(i));
        }
        return some;
    }

    private static double value(TrainingCurve.Point point, String key) {
        return point.values().getOrDefault(key, Double.NaN);
    }

    private static List<List<String>> numbers(TrainingCurve run, List<String> keys) {
        var numbers = new ArrayList<List<String>>();
        var head = new ArrayList<>(List.of("step"));
        head.addAll(keys);
        numbers.add(head);
        for (var point : run.points()) {
            var row = new ArrayList<>(List.of(Long.toString(point.step())));
            for (String key : keys) {
                row.add(point.values().containsKey(key) ? Double.toString(value(point, key)) : "");
            }
            if (row.stream().skip(1).anyMatch(cell -> !cell.isEmpty())) {
                numbers.add(row);
            }
        }
        return numbers;
    }
}
