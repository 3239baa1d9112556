package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Medians with their intervals, one below the other in groups, with the value that means "no difference".
public final class Forest {
    /// The left end of a scale.
    static final double LEFT = 270;

    /// The right end of a scale.
    static final double RIGHT = Svg.WIDTH - 125;

    private static final double ROW = 20;
    private static final double TOP = 24;

    private Forest() {}

    /// One line.
    ///
    /// @param group  heading above it
    /// @param series how its mark looks
    record Row(String group, String label, int series, Interval value) {}

    static Element draw(
            String id,
            String title,
            List<Row> rows,
            Scale scale,
            double reference,
            String referenceName,
            String name) {
        long groups = rows.stream().map(Row::group).distinct().count();
        double bottom = TOP + (rows.size() + groups) * ROW;
        var drawn = new ArrayList<Markup>(Svg.horizontal(scale, TOP, bottom, name));
        double middle = scale.at(reference);
        drawn.add(Svg.line("reference", middle, TOP - 6, middle, bottom));
        drawn.add(Svg.centred("tick", middle, TOP - 10, referenceName));
        double y = TOP + ROW / 2;
        String group = "";
        for (Row row : rows) {
            if (!row.group().equals(group)) {
                group = row.group();
                drawn.add(Svg.fitted(Svg.text("group", 4, y + 4, ""), group, LEFT - 10));
                y += ROW;
            }
            drawn.addAll(row(row, scale, y));
            y += ROW;
        }
        return Svg.root(id, title, bottom + 42, drawn);
    }

    private static List<Markup> row(Row row, Scale scale, double y) {
        var value = row.value();
        String style = "whisker " + Series.colour(row.series());
        String shown = value.shown(number -> Svg.number(number, 2));
        var drawn = new ArrayList<Markup>();
        drawn.add(Svg.fitted(Svg.text("label", 18, y + 4, ""), row.label(), LEFT - 30));
        if (value.low().isPresent()) {
            double low = scale.at(value.least());
            double high = scale.at(value.most());
            drawn.add(Svg.line(style, low, y, high, y));
            drawn.add(Svg.line(style, low, y - 4, low, y + 4));
            drawn.add(Svg.line(style, high, y - 4, high, y + 4));
        }
        drawn.add(
                Svg.told(
                        Series.mark(row.series(), scale.at(value.median()), y, false),
                        row.label() + ": " + shown));
        drawn.add(Svg.text("value", RIGHT + 10, y + 4, shown));
        return drawn;
    }

    /// The rows as a table.
    ///
    /// @param head of group, label, median, low and high
    static List<List<String>> numbers(List<Row> rows, List<String> head) {
        var numbers = new ArrayList<List<String>>();
        numbers.add(head);
        for (Row row : rows) {
            var cells = new ArrayList<>(List.of(row.group(), row.label()));
            cells.addAll(row.value().fields());
            numbers.add(cells);
        }
        return numbers;
    }

    /// The differences of the speedups of two results.
    ///
    /// @param differences by label of the variant
    public static Figure differences(Map<String, Interval> differences) {
        String id = "difference";
        String title = "Difference of speedups";
        var rows = new ArrayList<Row>();
        double most = .1;
        for (var each : differences.entrySet()) {
            rows.add(new Row("second less first", each.getKey(), rows.size(), each.getValue()));
            most = Math.max(most, Math.abs(each.getValue().least()));
            most = Math.max(most, Math.abs(each.getValue().most()));
        }
        double edge = Scale.fromZero(most, 0, 1).high();
        var scale = new Scale(-edge, edge, LEFT, RIGHT);
        return Figure.drawn(
                id,
                title,
                "Median speedup in the second results less that in the first, on prompts that both measured, with its 95 %"
                        + " bootstrap interval; prompts are resampled for both together. Right of the line the second is"
                        + " faster; an interval across the line shows no difference.",
                draw(id, title, rows, scale, 0, "no difference", "difference of speedups"),
                numbers(rows, List.of("what", "variant", "difference", "low", "high")));
    }
}
