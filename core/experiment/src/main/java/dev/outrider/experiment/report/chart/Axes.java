package dev.outrider.experiment.report.chart;

import java.util.ArrayList;
import java.util.List;

/// The two axes of a plot with their grid.
final class Axes {
    private Axes() {}

    /// A horizontal axis at `bottom` with vertical grid lines up to `top`.
    static List<Markup> horizontal(Scale scale, double top, double bottom, String name) {
        var drawn = new ArrayList<Markup>();
        for (double tick : scale.ticks()) {
            double x = scale.at(tick);
            drawn.add(Svg.line("grid", x, top, x, bottom));
            drawn.add(Svg.centred("tick", x, bottom + 16, Svg.number(tick, scale.decimals())));
        }
        drawn.add(Svg.line("axis", scale.from(), bottom, scale.to(), bottom));
        drawn.add(Svg.centred("name", (scale.from() + scale.to()) / 2, bottom + 34, name));
        return drawn;
    }

    /// A horizontal axis of whole numbers.
    static List<Markup> positions(Scale scale, int first, int last, double bottom, String name) {
        var drawn = new ArrayList<Markup>();
        int step = 1 + (last - first) / 16;
        for (int position = first; position <= last; position += step) {
            drawn.add(
                    Svg.centred(
                            "tick", scale.at(position), bottom + 16, Integer.toString(position)));
        }
        drawn.add(Svg.line("axis", scale.from(), bottom, scale.to(), bottom));
        drawn.add(Svg.centred("name", (scale.from() + scale.to()) / 2, bottom + 34, name));
        return drawn;
    }

    /// A vertical axis at `left` with horizontal grid lines to `right`.
    static List<Markup> vertical(Scale scale, double left, double right, String name) {
        var drawn = new ArrayList<Markup>();
        for (double tick : scale.ticks()) {
            double y = scale.at(tick);
            drawn.add(Svg.line("grid", left, y, right, y));
            drawn.add(Svg.ending("tick", left - 6, y + 4, Svg.number(tick, scale.decimals())));
        }
        drawn.add(Svg.line("axis", left, scale.from(), left, scale.to()));
        drawn.add(Svg.upwards("name", left - 40, (scale.from() + scale.to()) / 2, name));
        return drawn;
    }
}
