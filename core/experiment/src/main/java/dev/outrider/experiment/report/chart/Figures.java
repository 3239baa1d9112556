package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.report.chart.Figure.Numbers;
import dev.outrider.experiment.report.chart.LineChart.Curve;
import dev.outrider.experiment.report.chart.LineChart.Panel;
import dev.outrider.experiment.report.chart.LineChart.Point;
import dev.outrider.experiment.report.chart.LineChart.Style;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.results.Results.Entry;
import dev.outrider.experiment.stats.CostPoint;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.VariantResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// The figures of results, in the order of the page.
public final class Figures {
    private static final int MAX_CURVES = 12;
    private static final int MAX_ROWS = 90;
    private static final int MAX_LENGTHS = 6;
    private static final int POINTS = 150;
    private static final int MIN_WINDOW = 8;
    private static final int WINDOWS = 40;
    private static final double MICRO = 1e3;
    private static final double MILLI = 1e6;
    private static final String BATCH = "batch";

    private Figures() {}

    /// A figure that a page may have.
    ///
    /// @param title as on the page
    /// @param shows what a reader learns from it
    /// @param draw  returns the figure of some results
    public record Kind(String title, String shows, Function<Results, Figure> draw) {}

    /// The figures of the page.
    public static final List<Kind> OF_PAGE =
            List.of(
                    new Kind(
                            "Speedup by task and temperature",
                            "medians with 95 % intervals, over all prompts and kind by kind",
                            Figures::speedup),
                    new Kind(
                            "Acceptance by position",
                            "accepted at position i, of all drafts and of those that reached it",
                            Figures::acceptance),
                    new Kind(
                            StageFigure.TITLE,
                            "where a mean round spends its time, and what a token costs",
                            StageFigure::of),
                    new Kind(
                            "Cost of the target's pass by rows",
                            "t(n)/t(1), and the unique experts of a target that has any",
                            Figures::cost),
                    new Kind(
                            "Lengths over the rounds",
                            "depth drafted, tokens accepted and time per token along the rounds, of variants whose drafts vary in depth",
                            Figures::lengths),
                    new Kind(
                            "Speedup by batch size",
                            "for sweeps with an axis `batch`",
                            Figures::batch));

    /// Returns every figure of the page.
    public static List<Figure> of(Results results) {
        return OF_PAGE.stream().map(kind -> kind.draw().apply(results)).toList();
    }

    private static Figure speedup(Results results) {
        String id = "speedup";
        String title = OF_PAGE.getFirst().title();
        List<Forest.Row> rows = speedups(results);
        if (rows.isEmpty()) {
            return Figure.missing(
                    id, title, "No variant was measured, so there is no speedup to show.");
        }
        var drawn = Figure.first(rows, MAX_ROWS);
        double most = drawn.stream().mapToDouble(row -> row.value().most()).max().orElse(1);
        var scale = Scale.fromZero(Math.max(1.2, most), Forest.LEFT, Forest.RIGHT);
        return Figure.drawn(
                id,
                title,
                "Time per token of plain decoding over that of the variant, on the same prompts in the same process:"
                        + " median and 95 % bootstrap interval. Right of the line at 1 the variant is faster. An interval over"
                        + " fewer than six prompts is only their spread."
                        + Figure.drawnOf(rows, MAX_ROWS, "rows"),
                Forest.draw(id, title, drawn, scale, 1, "plain decoding", "speedup"),
                Forest.numbers(rows, List.of("prompts", "variant", "speedup", "low", "high")));
    }

    private static List<Forest.Row> speedups(Results results) {
        var entries = results.entries();
        var rows = new ArrayList<Forest.Row>();
        for (int i = 0; i < entries.size(); i++) {
            var entry = entries.get(i);
            rows.add(
                    new Forest.Row(
                            "all prompts", withTemperature(entry), i, entry.variant().speedup()));
        }
        var kinds = new LinkedHashSet<String>();
        results.cells()
                .forEach(cell -> cell.report().kinds().forEach(kind -> kinds.add(kind.kind())));
        for (String kind : kinds) {
            for (int i = 0; i < entries.size(); i++) {
                int series = i;
                var entry = entries.get(i);
                ofKind(entry, kind)
                        .ifPresent(found ->
                                rows.add(
                                        new Forest.Row(
                                                kind,
                                                withTemperature(entry),
                                                series,
                                                found.speedup())));
            }
        }
        return rows;
    }

    private static String withTemperature(Entry entry) {
        boolean axis =
                entry.cell().labels().keySet().stream()
                        .anyMatch(name -> name.endsWith("temperature"));
        return axis
                ? entry.label()
                : "%s, T %s".formatted(entry.label(), Svg.number(entry.variant().temperature(), 2));
    }

    private static Optional<VariantResult> ofKind(Entry entry, String kind) {
        return entry.cell().report().kinds().stream()
                .filter(each -> each.kind().equals(kind))
                .flatMap(each -> each.variants().stream())
                .filter(each -> each.name().equals(entry.variant().name()))
                .findFirst();
    }

    private static Figure acceptance(Results results) {
        String id = "acceptance";
        String title = OF_PAGE.get(1).title();
        List<Entry> all =
                results.entries().stream()
                        .filter(entry -> !entry.variant().acceptanceByPosition().isEmpty())
                        .toList();
        if (all.isEmpty()) {
            return Figure.missing(
                    id,
                    title,
                    "No variant had a draft judged, so there is no acceptance to show by position.");
        }
        var entries = Figure.first(all, MAX_CURVES);
        int deepest =
                entries.stream()
                        .mapToInt(entry -> entry.variant().acceptanceByPosition().size())
                        .max()
                        .orElse(1);
        var panels = new ArrayList<Panel>();
        for (boolean reached : new boolean[] {false, true}) {
            var curves = new ArrayList<Curve>();
            for (int i = 0; i < entries.size(); i++) {
                var variant = entries.get(i).variant();
                curves.add(
                        positions(
                                i,
                                entries.get(i).label(),
                                reached
                                        ? variant.conditionalAcceptanceByPosition()
                                        : variant.acceptanceByPosition()));
            }
            panels.add(
                    Panel.of(
                                    reached ? "of drafts that reached it" : "of all drafts",
                                    "position",
                                    LineChart.half(deepest, reached),
                                    reached ? "" : "share accepted",
                                    LineChart.shares(),
                                    curves)
                            .named(LineChart.positions(deepest)));
        }
        var numbers = new Numbers("variant", "position", "accepted / drafts", "accepted / reached");
        for (Entry entry : all) {
            var shares = entry.variant().acceptanceByPosition();
            var conditional = entry.variant().conditionalAcceptanceByPosition();
            for (int i = 0; i < Math.min(shares.size(), conditional.size()); i++) {
                numbers.row(entry.label(), i + 1, shares.get(i), conditional.get(i));
            }
        }
        return Figure.drawn(
                id,
                title,
                "Left: accepted at position i over drafts. Right: accepted at position i over drafts that reached it."
                        + " Position 1 is the first guess of a draft; where the right curve rises, a draft that got so far is"
                        + " likely to go on."
                        + Figure.drawnOf(all, MAX_CURVES, "variants"),
                LineChart.draw(id, title, panels, entries.stream().map(Entry::label).toList()),
                numbers.rows());
    }

    private static Curve positions(int series, String label, List<Double> shares) {
        var points = new ArrayList<Point>();
        for (int i = 0; i < shares.size(); i++) {
            double share = shares.get(i);
            if (Double.isFinite(share)) {
                points.add(
                        Point.of(
                                i,
                                share,
                                "%s, position %d: %s"
                                        .formatted(label, i + 1, Svg.number(share, 3))));
            }
        }
        return new Curve(series, Style.MARKED, points);
    }

    private static Figure cost(Results results) {
        String id = "cost";
        String title = OF_PAGE.get(3).title();
        var all = new LinkedHashMap<String, List<CostPoint>>();
        for (Cell cell : results.cells()) {
            var points =
                    cell.report().costCurve().stream()
                            .filter(point -> point.ratio() > 0 && Double.isFinite(point.ratio()))
                            .toList();
            if (points.size() > 1) {
                all.put(cell.title(), points);
            }
        }
        if (all.isEmpty()) {
            return Figure.missing(
                    id,
                    title,
                    "These results do not say what passes of different numbers of rows cost, so there is no curve.");
        }
        var labels = Figure.first(List.copyOf(all.keySet()), MAX_CURVES);
        var numbers = new Numbers("comparison", "rows", "t(n)/t(1)", "ms", "passes", "experts");
        var curves = new ArrayList<Curve>();
        double rows = 2;
        double ratio = 1.2;
        for (var each : all.entrySet()) {
            var points = new ArrayList<Point>();
            for (CostPoint point : each.getValue()) {
                numbers.row(
                        each.getKey(),
                        point.rows(),
                        point.ratio(),
                        point.meanNanos() / MILLI,
                        point.passes(),
                        point.experts().isPresent()
                                ? Svg.number(point.experts().getAsDouble(), 2)
                                : "-");
                points.add(
                        Point.of(
                                point.rows(),
                                point.ratio(),
                                "%s, %d rows: %s in %d passes"
                                        .formatted(
                                                each.getKey(),
                                                point.rows(),
                                                Svg.number(point.ratio(), 2),
                                                point.passes())));
                rows = Math.max(rows, point.rows());
                ratio = Math.max(ratio, point.ratio());
            }
            curves.add(new Curve(curves.size(), Style.MARKED, points));
        }
        var x = Scale.fromZero(rows, LineChart.LEFT, LineChart.RIGHT);
        var y = LineChart.vertical(ratio);
        double end = Math.min(x.high(), y.high());
        var panel =
                Panel.of(
                                "",
                                "rows of the pass",
                                x,
                                "t(n) / t(1)",
                                y,
                                Figure.first(curves, MAX_CURVES))
                        .reference(1, 1, end, end);
        return Figure.drawn(
                id,
                title,
                "t(n) / t(1): mean time of a target pass over n rows, the root included, against one of one row, all variants"
                        + " together. Speculation gains where the curve rises slowly; along the dashed line a row costs as"
                        + " much as a pass."
                        + Figure.drawnOf(curves, MAX_CURVES, "curves"),
                LineChart.draw(id, title, List.of(panel), labels),
                numbers.rows());
    }

    private record Lengths(String label, int window, List<RoundCourse.Point> points) {
        Curve curve(int series, ToDoubleFunction<RoundCourse.Point> value) {
            return new Curve(
                    series,
                    Style.LINE,
                    points.stream()
                            .map(point -> Point.of(point.round(), value.applyAsDouble(point), ""))
                            .toList());
        }

        double most(ToDoubleFunction<RoundCourse.Point> value) {
            return points.stream().mapToDouble(value).max().orElse(1);
        }
    }

    private static Figure lengths(Results results) {
        String id = "lengths";
        String title = OF_PAGE.get(4).title();
        var all =
                RoundCourse.of(results).stream()
                        .map(course -> {
                            int window = Math.max(MIN_WINDOW, course.rounds().size() / WINDOWS);
                            return new Lengths(
                                    course.variant(), window, course.moving(window, POINTS));
                        })
                        .filter(course -> course.points().size() > 1)
                        .toList();
        if (all.isEmpty()) {
            return Figure.missing(
                    id,
                    title,
                    "No variant of a single comparison chose the lengths of its drafts, so there is nothing to draw over the rounds.");
        }
        var panels = new ArrayList<Panel>();
        double top = 0;
        for (Lengths each : Figure.first(all, MAX_LENGTHS)) {
            double last = each.points().getLast().round();
            double slowest = each.most(RoundCourse.Point::nanos);
            double unit = slowest < MILLI ? MICRO : MILLI;
            double deepest =
                    Math.max(
                            each.most(RoundCourse.Point::depth),
                            each.most(RoundCourse.Point::accepted));
            panels.add(
                    Panel.of(
                            "%s, means of %d rounds".formatted(each.label(), each.window()),
                            "round",
                            new Scale(0, last, 56, 350),
                            "tokens",
                            Scale.fromZero(deepest, top + 140, top + LineChart.TOP),
                            List.of(
                                    each.curve(0, RoundCourse.Point::depth),
                                    each.curve(1, RoundCourse.Point::accepted))));
            panels.add(
                    Panel.of(
                            "",
                            "round",
                            new Scale(0, last, 426, 710),
                            unit < MILLI ? "\u00B5s a token" : "ms a token",
                            Scale.fromZero(slowest / unit, top + 140, top + LineChart.TOP),
                            List.of(each.curve(0, point -> point.nanos() / unit))));
            top += 190;
        }
        var numbers = new Numbers("variant", "round", "window", "depth", "accepted", "ns a token");
        for (Lengths each : all) {
            for (var point : each.points()) {
                numbers.row(
                        each.label(),
                        point.round(),
                        each.window(),
                        point.depth(),
                        point.accepted(),
                        point.nanos());
            }
        }
        return Figure.drawn(
                id,
                title,
                "Moving means along the rounds of all generations, in the order they were run. Left: depth drafted (solid) and"
                        + " drafted tokens accepted (dashed). Right: time per emitted token, with drafting, without prefill."
                        + Figure.drawnOf(all, MAX_LENGTHS, "variants"),
                LineChart.draw(id, title, panels, List.of()),
                numbers.rows());
    }

    private record AtBatch(int batch, Interval speedup) {}

    private static Figure batch(Results results) {
        String id = BATCH;
        String title = OF_PAGE.get(5).title();
        Map<String, List<AtBatch>> all = new LinkedHashMap<>();
        var sizes = new TreeSet<Integer>();
        for (Entry entry : results.entries()) {
            batchSize(entry)
                    .ifPresent(size -> {
                        sizes.add(size);
                        all.computeIfAbsent(withoutBatch(entry), _ -> new ArrayList<>())
                                .add(new AtBatch(size, entry.variant().speedup()));
                    });
        }
        if (sizes.size() < 2) {
            return Figure.missing(
                    id,
                    title,
                    "These results have one batch size, so there is no curve over it. A sweep with an axis batch, such as"
                            + " [1, 2, 4, 8], measures one.");
        }
        var order = List.copyOf(sizes);
        var numbers = new Numbers("variant", "batch", "speedup", "low", "high");
        var curves = new ArrayList<Curve>();
        double most = 1.2;
        for (var each : all.entrySet()) {
            each.getValue().sort(Comparator.comparingInt(AtBatch::batch));
            var points = new ArrayList<Point>();
            for (AtBatch at : each.getValue()) {
                var speedup = at.speedup();
                numbers.row(each.getKey(), at.batch(), speedup.fields());
                points.add(
                        new Point(
                                order.indexOf(at.batch()) + .06 * (curves.size() - 1),
                                speedup.median(),
                                speedup.least(),
                                speedup.most(),
                                "%s, batch %d: %s"
                                        .formatted(
                                                each.getKey(),
                                                at.batch(),
                                                speedup.shown(number -> Svg.number(number, 2)))));
                most = Math.max(most, speedup.most());
            }
            curves.add(new Curve(curves.size(), Style.MARKED, points));
        }
        var panel =
                Panel.of(
                                "",
                                "sequences decoded together",
                                new Scale(-.5, order.size() - .5, LineChart.LEFT, LineChart.RIGHT),
                                "speedup",
                                LineChart.vertical(most),
                                Figure.first(curves, MAX_CURVES))
                        .named(order.stream().map(String::valueOf).toList())
                        .reference(-.5, 1, order.size() - .5, 1);
        return Figure.drawn(
                id,
                title,
                "Median speedup over plain decoding of equally many sequences together, with 95 % intervals. A batch uses the"
                        + " spare rows of a pass that speculation needs, so the curve falls."
                        + Figure.drawnOf(curves, MAX_CURVES, "curves"),
                LineChart.draw(
                        id,
                        title,
                        List.of(panel),
                        Figure.first(List.copyOf(all.keySet()), MAX_CURVES)),
                numbers.rows());
    }

    private static Optional<Integer> batchSize(Entry entry) {
        return Optional.ofNullable(entry.cell().labels().get(BATCH))
                .filter(text -> text.matches("[1-9][0-9]{0,6}"))
                .map(Integer::valueOf)
                .or(() -> Optional.of(entry.cell().report().batch()));
    }

    private static String withoutBatch(Entry entry) {
        String others =
                entry.cell().labels().entrySet().stream()
                        .filter(label -> !label.getKey().equals(BATCH))
                        .map(label -> label.getKey() + " " + label.getValue())
                        .collect(Collectors.joining(", "));
        return others.isEmpty() ? entry.variant().name() : others + ": " + entry.variant().name();
    }
}
