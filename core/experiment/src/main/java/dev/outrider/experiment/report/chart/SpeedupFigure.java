package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.report.KindReport;
import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.markup.Markup;
import dev.outrider.experiment.report.read.Results;
import dev.outrider.experiment.stats.Interval;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// Speedup with its interval, on all prompts and kind by kind.
final class SpeedupFigure {
    static final String ID = "speedup";
    private static final String TITLE = "Speedup by task and temperature";
    private static final String ALL = "all prompts";
    private static final int MOST_ROWS = 90;
    private static final double ROW = 20;
    private static final double LEFT = 270;
    private static final double RIGHT = Svg.WIDTH - 125;
    private static final double TOP = 24;

    private SpeedupFigure() {}

    /// One line of the drawing.
    private record Row(
            String group, String label, double temperature, int series, Interval speedup) {}

    static Figure of(Results results) {
        List<Row> rows = rows(results);
        if (rows.isEmpty()) {
            return Figure.missing(
                    ID, TITLE, "No variant was measured, so there is no speedup to show.");
        }
        int left = Math.max(0, rows.size() - MOST_ROWS);
        String caption =
                "Time per token of plain decoding over that of the variant, on the same prompts in the same process:"
                        + " median and 95 % bootstrap interval. Right of the line at 1 the variant is faster."
                        + (left > 0
                                ? " %d more rows are in the numbers below.".formatted(left)
                                : "");
        return Figure.drawn(
                ID, TITLE, caption, draw(rows.subList(0, rows.size() - left)), numbers(rows));
    }

    private static List<Row> rows(Results results) {
        var variants = results.variants();
        var rows = new ArrayList<Row>();
        for (int i = 0; i < variants.size(); i++) {
            var variant = variants.get(i);
            rows.add(
                    new Row(
                            ALL,
                            variant.label(),
                            variant.side().temperature(),
                            i,
                            variant.side().speedup()));
        }
        var kinds = new LinkedHashSet<String>();
        results.cells()
                .forEach(cell -> cell.details().kinds().forEach(kind -> kinds.add(kind.kind())));
        for (String kind : kinds) {
            for (int i = 0; i < variants.size(); i++) {
                int series = i;
                var variant = variants.get(i);
                find(variant, kind)
                        .ifPresent(found ->
                                rows.add(
                                        new Row(
                                                kind,
                                                variant.label(),
                                                variant.side().temperature(),
                                                series,
                                                found.speedup())));
            }
        }
        return rows;
    }

    private static Optional<KindReport.Variant> find(Results.Variant variant, String kind) {
        return variant.cell().details().kinds().stream()
                .filter(each -> each.kind().equals(kind))
                .flatMap(each -> each.variants().stream())
                .filter(each -> each.variant().equals(variant.side().name()))
                .findFirst();
    }

    private static Element draw(List<Row> rows) {
        long groups = rows.stream().map(Row::group).distinct().count();
        double bottom = TOP + (rows.size() + groups) * ROW;
        double most = rows.stream().mapToDouble(row -> row.speedup().high()).max().orElse(1);
        var scale = Scale.fromZero(Math.max(1.2, most), LEFT, RIGHT);
        var drawn = new ArrayList<Markup>(Axes.horizontal(scale, TOP, bottom, "speedup"));
        drawn.add(Svg.line("reference", scale.at(1), TOP - 6, scale.at(1), bottom));
        drawn.add(Svg.centred("tick", scale.at(1), TOP - 10, "plain decoding"));
        double y = TOP + ROW / 2;
        String group = "";
        for (Row row : rows) {
            if (!row.group().equals(group)) {
                group = row.group();
                drawn.add(
                        Svg.fitted(
                                Svg.text("group", 4, y + 4, ""), group, LEFT - 10));
                y += ROW;
            }
            drawn.addAll(row(row, scale, y));
            y += ROW;
        }
        return Svg.root(ID, TITLE, bottom + 42, drawn);
    }

    private static List<Markup> row(Row row, Scale scale, double y) {
        var speedup = row.speedup();
        String style = "whisker " + Series.colour(row.series());
        String shown =
                "%s [%s, %s]"
                        .formatted(
                                Svg.number(speedup.median(), 2),
                                Svg.number(speedup.low(), 2),
                                Svg.number(speedup.high(), 2));
        double low = scale.at(speedup.low());
        double high = scale.at(speedup.high());
        String label = "%s, T %s".formatted(row.label(), Svg.number(row.temperature(), 2));
        return List.of(
                Svg.fitted(Svg.text("label", 18, y + 4, ""), label, LEFT - 30),
                Svg.line(style, low, y, high, y),
                Svg.line(style, low, y - 4, low, y + 4),
                Svg.line(style, high, y - 4, high, y + 4),
                Svg.told(
                        Series.mark(row.series(), scale.at(speedup.median()), y, false),
                        label + ": " + shown),
                Svg.text("value", RIGHT + 10, y + 4, shown));
    }

    private static List<List<String>> numbers(List<Row> rows) {
        var numbers = new ArrayList<List<String>>();
        numbers.add(List.of("prompts", "variant", "temperature", "speedup", "low", "high"));
        for (Row row : rows) {
            numbers.add(
                    List.of(
                            row.group(),
                            row.label(),
                            Double.toString(row.temperature()),
                            Double.toString(row.speedup().median()),
                            Double.toString(row.speedup().low()),
                            Double.toString(row.speedup().high())));
        }
        return numbers;
    }
}
