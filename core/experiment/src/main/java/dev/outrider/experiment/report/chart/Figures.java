package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.lab.LabReport;
import dev.outrider.experiment.lab.LabReport.Position;
import dev.outrider.experiment.report.chart.Figure.Content;
import dev.outrider.experiment.report.chart.Figure.Numbers;
import dev.outrider.experiment.report.chart.LineChart.Curve;
import dev.outrider.experiment.report.chart.LineChart.Panel;
import dev.outrider.experiment.report.chart.LineChart.Point;
import dev.outrider.experiment.report.chart.LineChart.Style;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Entry;
import dev.outrider.experiment.stats.CostPoint;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.VariantResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/// The figures of results, in the order of the page, and those of a recording and of two results.
public final class Figures {
    private static final int MAX_CURVES = 12;
    private static final int MAX_ROWS = 90;
    private static final int MAX_HEADROOM = 8;
    private static final double MILLI = 1e6;

    private Figures() {}

    /// A figure that a page may have.
    ///
    /// @param id      as of a [Figure]
    /// @param content of some results
    public record Kind(String id, Function<Results, Optional<Content>> content) {
        /// Returns the title on the page.
        public String title() {
            return Texts.of(id + ".title");
        }

        /// Returns what the figure tells a reader.
        public String shows() {
            return Texts.of(id + ".shows");
        }

        private Figure of(Results results) {
            return content.apply(results)
                    .map(each -> each.figure(id, title()))
                    .orElseGet(() -> Figure.missing(id, title(), Texts.of(id + ".missing")));
        }
    }

    /// The figures of the page.
    public static final List<Kind> OF_PAGE =
            List.of(
                    new Kind("speedup", Figures::speedup),
                    new Kind("acceptance", Figures::acceptance),
                    new Kind(StageFigure.ID, StageFigure::of),
                    new Kind("cost", Figures::cost));

    /// Returns every figure of the page.
    public static List<Figure> of(Results results) {
        return OF_PAGE.stream().map(kind -> kind.of(results)).toList();
    }

    private static Optional<Content> speedup(Results results) {
        var rows = speedups(results);
        double most =
                rows.stream()
                        .limit(MAX_ROWS)
                        .mapToDouble(row -> row.value().most())
                        .max()
                        .orElse(0);
        var scale = Scale.fromZero(Math.max(1.2, most), Forest.LEFT, Forest.RIGHT);
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Forest("speedup", scale, 1, "plain decoding")
                                .draw(
                                        Texts.of("speedup.caption"),
                                        rows,
                                        MAX_ROWS,
                                        "prompts",
                                        "variant",
                                        "speedup",
                                        "low",
                                        "high"));
    }

    private static List<Forest.Row> speedups(Results results) {
        var entries = results.entries();
        var rows = new ArrayList<Forest.Row>();
        for (var entry : entries) {
            rows.add(
                    new Forest.Row(
                            "all prompts",
                            withTemperature(entry),
                            rows.size(),
                            entry.variant().speedup()));
        }
        var kinds = new LinkedHashSet<String>();
        results.cells()
                .forEach(cell -> cell.report().kinds().forEach(kind -> kinds.add(kind.kind())));
        for (String kind : kinds) {
            for (int i = 0; i < entries.size(); i++) {
                int series = i;
                String label = withTemperature(entries.get(i));
                ofKind(entries.get(i), kind)
                        .map(found -> new Forest.Row(kind, label, series, found.speedup()))
                        .ifPresent(rows::add);
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

    private static Optional<Content> acceptance(Results results) {
        List<Entry> all =
                results.entries().stream()
                        .filter(entry -> !entry.variant().acceptanceByPosition().isEmpty())
                        .toList();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        var entries = Figure.first(all, MAX_CURVES);
        int deepest = 1;
        var shares = new ArrayList<Curve>();
        var reached = new ArrayList<Curve>();
        for (Entry entry : entries) {
            var variant = entry.variant();
            deepest = Math.max(deepest, variant.acceptanceByPosition().size());
            shares.add(curve(shares.size(), entry, variant.acceptanceByPosition()));
            reached.add(curve(reached.size(), entry, variant.conditionalAcceptanceByPosition()));
        }
        var numbers = new Numbers("variant", "position", "accepted / drafts", "accepted / reached");
        for (Entry entry : all) {
            var share = entry.variant().acceptanceByPosition();
            var conditional = entry.variant().conditionalAcceptanceByPosition();
            for (int i = 0; i < Math.min(share.size(), conditional.size()); i++) {
                numbers.row(entry.label(), i + 1, share.get(i), conditional.get(i));
            }
        }
        return Optional.of(
                LineChart.draw(
                        Texts.of("acceptance.caption")
                                + Figure.drawnOf(all, MAX_CURVES, "variants"),
                        List.of(
                                Panel.byPosition(
                                        "of all drafts", false, deepest, "share accepted", shares),
                                Panel.byPosition(
                                        "of drafts that reached it", true, deepest, "", reached)),
                        entries.stream().map(Entry::label).toList(),
                        numbers));
    }

    private static Curve curve(int series, Entry entry, List<Double> shares) {
        return Curve.byPosition(series, Style.MARKED, entry.label(), shares);
    }

    private static Optional<Content> cost(Results results) {
        var labels = new ArrayList<String>();
        var numbers = new Numbers("comparison", "rows", "t(n)/t(1)", "ms", "passes", "experts");
        var curves = new ArrayList<Curve>();
        double rows = 2;
        double ratio = 1.2;
        for (Results.Cell cell : results.cells()) {
            var known =
                    cell.report().costCurve().stream()
                            .filter(point -> point.ratio() > 0 && Double.isFinite(point.ratio()))
                            .toList();
            if (known.size() < 2) {
                continue;
            }
            var points = new ArrayList<Point>();
            for (CostPoint point : known) {
                numbers.row(
                        cell.title(),
                        point.rows(),
                        point.ratio(),
                        point.meanNanos() / MILLI,
                        point.passes(),
                        point.experts().isPresent()
                                ? Svg.number(point.experts().getAsDouble(), 2)
                                : "-");
                points.add(
                        new Point(
                                point.rows(),
                                point.ratio(),
                                "%s, %d rows: %s in %d passes"
                                        .formatted(
                                                cell.title(),
                                                point.rows(),
                                                Svg.number(point.ratio(), 2),
                                                point.passes())));
                rows = Math.max(rows, point.rows());
                ratio = Math.max(ratio, point.ratio());
            }
            labels.add(cell.title());
            curves.add(new Curve(curves.size(), Style.MARKED, points));
        }
        if (curves.isEmpty()) {
            return Optional.empty();
        }
        var x = LineChart.horizontal(rows);
        var y = LineChart.vertical(ratio);
        double end = Math.min(x.high(), y.high());
        var drawn = Figure.first(curves, MAX_CURVES);
        return Optional.of(
                LineChart.draw(
                        Texts.of("cost.caption") + Figure.drawnOf(curves, MAX_CURVES, "curves"),
                        List.of(
                                Panel.of("", "rows of the pass", x, "t(n) / t(1)", y, drawn)
                                        .reference(1, 1, end, end)),
                        Figure.first(labels, MAX_CURVES),
                        numbers));
    }

    /// Returns by position the acceptance of the first rule of a recorded run and of an optimal coupling.
    public static Figure headroom(LabReport report) {
        var all = report.variants().stream().filter(each -> !each.positions().isEmpty()).toList();
        var variants = Figure.first(all, MAX_HEADROOM);
        int deepest = 1;
        var kept = new ArrayList<Curve>();
        var reached = new ArrayList<Curve>();
        for (var each : variants) {
            int series = reached.size();
            deepest = Math.max(deepest, each.positions().size());
            kept.add(curve(series, Style.MARKED, each, Position::kept));
            kept.add(curve(series, Style.HOLLOW, each, Position::overlap));
            reached.add(curve(series, Style.MARKED, each, Position::reached));
        }
        var numbers =
                new Numbers(
                        "variant", "position", "reached", "kept if reached", "block", "coupling");
        for (var variant : all) {
            for (Position position : variant.positions()) {
                numbers.row(
                        variant.variant(),
                        position.position(),
                        position.reached(),
                        position.kept(),
                        position.block(),
                        position.overlap());
            }
        }
        String title = Texts.of("headroom.title");
        return all.isEmpty()
                ? Figure.missing("headroom", title, Texts.of("headroom.missing"))
                : LineChart.draw(
                                Texts.of("headroom.caption"),
                                List.of(
                                        Panel.byPosition(
                                                "kept if reached", false, deepest, "share", kept),
                                        Panel.byPosition(
                                                "rounds that reach it",
                                                true,
                                                deepest,
                                                "share",
                                                reached)),
                                variants.stream().map(LabReport.OfVariant::variant).toList(),
                                numbers)
                        .figure("headroom", title);
    }

    private static Curve curve(
            int series,
            Style style,
            LabReport.OfVariant variant,
            ToDoubleFunction<Position> share) {
        return Curve.byPosition(
                series,
                style,
                variant.variant(),
                variant.positions().stream().mapToDouble(share).boxed().toList());
    }

    /// Returns the differences of the speedups of two results.
    ///
    /// @param differences by label of the variant
    public static Figure differences(Map<String, Interval> differences) {
        var rows = new ArrayList<Forest.Row>();
        double most = .1;
        for (var each : differences.entrySet()) {
            var value = each.getValue();
            rows.add(new Forest.Row("second less first", each.getKey(), rows.size(), value));
            most = Math.max(most, Math.max(Math.abs(value.least()), Math.abs(value.most())));
        }
        double edge = Scale.fromZero(most, 0, 1).high();
        var scale = new Scale(-edge, edge, Forest.LEFT, Forest.RIGHT);
        return new Forest("difference of speedups", scale, 0, "no difference")
                .draw(
                        Texts.of("difference.caption"),
                        rows,
                        rows.size(),
                        "what",
                        "variant",
                        "difference",
                        "low",
                        "high")
                .figure("difference", Texts.of("difference.title"));
    }
}
