package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.report.chart.TrainingCurve.Calibration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The figures of a training run: loss, measures of the validation rows, speed, learning rate and the reliability of a confidence
/// head.
public final class TrainingFigures {
    private static final String LOSS = "loss";
    private static final String VALIDATION = "validationLoss";
    private static final String SPEED = "tokensPerSecond";
    private static final String RATE = "lr";
    private static final Set<String> COMMON = Set.of(LOSS, VALIDATION, SPEED, RATE, "tokens");
    private static final int MAX_POINTS = 600;
    private static final int MAX_MARKS = 60;

    private TrainingFigures() {}

    /// Returns the figures, those without data included.
    public static List<Figure> of(TrainingCurve run) {
        var measures =
                run.keys().stream()
                        .filter(key -> !COMMON.contains(key) && !Calibration.isKey(key))
                        .toList();
        var shares = measures.stream().filter(key -> most(run, List.of(key)) <= 1).toList();
        var figures = new ArrayList<Figure>();
        figures.add(figure(run, LOSS, List.of(LOSS, VALIDATION)));
        if (!shares.isEmpty()) {
            figures.add(figure(run, "shares", shares));
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
        Calibration.of(run).map(TrainingFigures::reliability).ifPresent(figures::add);
        figures.add(figure(run, "speed", List.of(SPEED)));
        figures.add(figure(run, "rate", List.of(RATE)));
        return figures;
    }

    private static Figure figure(TrainingCurve run, String id, List<String> keys) {
        return figure(run, id, Texts.of(id + ".title"), Texts.of(id + ".caption"), keys);
    }

    private static Figure figure(
            TrainingCurve run, String id, String title, String caption, List<String> keys) {
        var shown = keys.stream().filter(key -> !run.with(key).isEmpty()).toList();
        if (shown.isEmpty()) {
            return Figure.missing(id, title, "The run has not written any yet.");
        }
        var curves = new ArrayList<LineChart.Curve>();
        for (String key : shown) {
            var points =
                    thinned(run.with(key)).stream()
                            .map(point ->
                                    new LineChart.Point(
                                            point.step(),
                                            value(point, key),
                                            "%s after step %d: %s"
                                                    .formatted(
                                                            key, point.step(), value(point, key))))
                            .toList();
            curves.add(
                    new LineChart.Curve(
                            curves.size(),
                            points.size() > MAX_MARKS
                                    ? LineChart.Style.LINE
                                    : LineChart.Style.MARKED,
                            points));
        }
        long last = run.points().stream().mapToLong(TrainingCurve.Point::step).max().orElse(1);
        var panel =
                LineChart.Panel.of(
                        "",
                        "step",
                        LineChart.horizontal(last),
                        title.toLowerCase(Locale.ROOT),
                        LineChart.vertical(most(run, shown)),
                        curves);
        return LineChart.draw(caption, List.of(panel), shown, numbers(run, shown))
                .figure(id, title);
    }

    private static double most(TrainingCurve run, List<String> keys) {
        return keys.stream()
                .flatMap(key -> run.with(key).stream().map(point -> value(point, key)))
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
    }

    /// At most [#MAX_POINTS] points, the last one among them.
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

    private static Figure.Numbers numbers(TrainingCurve run, List<String> keys) {
        var numbers = new Figure.Numbers("step", keys);
        for (var point : run.points()) {
            var values = point.values();
            if (keys.stream().anyMatch(values::containsKey)) {
                numbers.row(
                        point.step(),
                        keys.stream()
                                .map(key ->
                                        values.containsKey(key)
                                                ? Double.toString(value(point, key))
                                                : "")
                                .toList());
            }
        }
        return numbers;
    }

    private static Figure reliability(Calibration calibration) {
        var numbers = new Figure.Numbers("bin", "share", "mean confidence", "mean acceptance");
        var points = new ArrayList<LineChart.Point>();
        for (var bin : calibration.bins()) {
            numbers.row(bin.number(), bin.share(), bin.confidence(), bin.acceptance());
            points.add(
                    new LineChart.Point(
                            bin.confidence(),
                            bin.acceptance(),
                            "confidence %s: accepted %s, %s %% of the guesses"
                                    .formatted(
                                            Svg.number(bin.confidence(), 3),
                                            Svg.number(bin.acceptance(), 3),
                                            Svg.number(100 * bin.share(), 1))));
        }
        var panel =
                LineChart.Panel.of(
                                "",
                                "confidence",
                                new Scale(0, 1, LineChart.LEFT, LineChart.RIGHT),
                                "acceptance",
                                LineChart.shares(),
                                List.of(new LineChart.Curve(0, LineChart.Style.MARKED, points)))
                        .reference(0, 0, 1, 1);
        return LineChart.draw(
                        Texts.of("reliability.caption")
                                .formatted(Svg.number(calibration.expectedError(), 3)),
                        List.of(panel),
                        List.of(),
                        numbers)
                .figure("reliability", Texts.of("reliability.title"));
    }
}
