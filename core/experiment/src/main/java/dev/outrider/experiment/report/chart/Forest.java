package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.report.chart.Figure.Content;
import dev.outrider.experiment.report.chart.Figure.Numbers;
import dev.outrider.experiment.stats.Interval;
import java.util.ArrayList;
import java.util.List;

/// Numbers with their intervals, one below the other in groups, with the value that means "no difference".
///
/// @param name          of the axis
/// @param scale         of the axis, from [#LEFT] to [#RIGHT]
/// @param reference     the value that means "no difference"
/// @param referenceName its label
record Forest(String name, Scale scale, double reference, String referenceName) {
    /// The left end of a scale.
    static final double LEFT = 270;

    /// The right end of a scale.
    static final double RIGHT = Svg.WIDTH - 125;

    private static final double ROW = 20;
    private static final double TOP = 24;

    /// One line.
    ///
    /// @param group  heading above it
    /// @param series number of the mark's look
    record Row(String group, String label, int series, Interval value) {}

    /// Draws rows.
    ///
    /// @param max  the most rows that are drawn
    /// @param head of the numbers: group, label, number, low and high
    Content draw(String caption, List<Row> all, int max, Object... head) {
        var rows = Figure.first(all, max);
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
            drawn.addAll(row(row, y));
            y += ROW;
        }
        var numbers = new Numbers(head);
        all.forEach(row -> numbers.row(row.group(), row.label(), row.value().fields()));
        return new Content(caption + Figure.drawnOf(all, max, "rows"), bottom + 42, drawn, numbers);
    }

    private List<Markup> row(Row row, double y) {
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
        var mark = Series.mark(row.series(), scale.at(value.value()), y, false);
        drawn.add(Svg.told(mark, row.label() + ": " + shown));
        drawn.add(Svg.text("value", RIGHT + 10, y + 4, shown));
        return drawn;
    }
}
