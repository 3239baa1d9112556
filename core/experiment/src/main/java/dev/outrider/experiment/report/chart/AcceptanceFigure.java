package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Entry;
import java.util.ArrayList;
import java.util.List;

/// Acceptance by position, unconditional and conditional side by side.
final class AcceptanceFigure {
    static final String ID = "acceptance";
    static final String TITLE = "Acceptance by position";
    private static final int MAX = 12;
    private static final double TOP = 28;
    private static final double BOTTOM = 238;

    private AcceptanceFigure() {}

    static Figure of(Results results) {
        List<Entry> all =
                results.entries().stream()
                        .filter(entry -> !entry.variant().acceptanceByPosition().isEmpty())
                        .toList();
        if (all.isEmpty()) {
            return Figure.missing(
                    ID,
                    TITLE,
                    "No variant had a draft judged, so there is no acceptance to show by position.");
        }
        var entries = all.subList(0, Math.min(MAX, all.size()));
        String caption =
                "Left: accepted at position i over drafts. Right: accepted at position i over drafts that were tested"
                        + " there. Position 1 is the first guess of a draft; a curve that rises on the right says that a draft"
                        + " that got so far is likely to go on."
                        + (all.size() > MAX
                                ? " The first %d of %d variants are drawn, all are in the numbers."
                                        .formatted(MAX, all.size())
                                : "");
        return Figure.drawn(ID, TITLE, caption, draw(entries), numbers(all));
    }

    private static Element draw(List<Entry> entries) {
        int deepest =
                entries.stream()
                        .mapToInt(entry -> entry.variant().acceptanceByPosition().size())
                        .max()
                        .orElse(1);
        var drawn = new ArrayList<Markup>();
        panel(drawn, entries, deepest, 56, 350, false);
        panel(drawn, entries, deepest, 416, 710, true);
        double legend = BOTTOM + 56;
        drawn.addAll(
                Series.legend(
                        entries.stream().map(Entry::label).toList(),
                        56,
                        legend,
                        Svg.WIDTH - 60));
        return Svg.root(ID, TITLE, legend + Series.legendHeight(entries.size()), drawn);
    }

    private static void panel(
            List<Markup> drawn,
            List<Entry> entries,
            int deepest,
            double left,
            double right,
            boolean conditional) {
        var y = new Scale(0, 1, BOTTOM, TOP);
        var x = new Scale(.5, deepest + .5, left, right);
        drawn.addAll(Axes.vertical(y, left, right, conditional ? "" : "share accepted"));
        drawn.addAll(Axes.positions(x, 1, deepest, BOTTOM, "position"));
        drawn.add(
                Svg.text(
                        "group",
                        left,
                        TOP - 12,
                        conditional ? "of those tested" : "of all drafts"));
        for (int i = 0; i < entries.size(); i++) {
            var variant = entries.get(i).variant();
            var shares = conditional ? variant.conditionalAcceptanceByPosition() : variant.acceptanceByPosition();
            curve(drawn, i, entries.get(i).label(), shares, x, y);
        }
    }

    private static void curve(
            List<Markup> drawn, int series, String label, List<Double> shares, Scale x, Scale y) {
        var points = new ArrayList<double[]>();
        var marks = new ArrayList<Markup>();
        for (int i = 0; i < shares.size(); i++) {
            double share = shares.get(i);
            if (Double.isFinite(share)) {
                points.add(new double[] {x.at(i + 1), y.at(share)});
                marks.add(
                        Svg.told(
                                Series.mark(series, x.at(i + 1), y.at(share), false),
                                "%s, position %d: %s"
                                        .formatted(label, i + 1, Svg.number(share, 3))));
            }
        }
        if (points.size() > 1) {
            drawn.add(Svg.polyline(Series.line(series), points));
        }
        drawn.addAll(marks);
    }

    private static List<List<String>> numbers(List<Entry> entries) {
        var numbers = new ArrayList<List<String>>();
        numbers.add(List.of("variant", "position", "accepted / drafts", "accepted / tested"));
        for (Entry entry : entries) {
            var variant = entry.variant();
            int positions =
                    Math.min(variant.acceptanceByPosition().size(), variant.conditionalAcceptanceByPosition().size());
            for (int i = 0; i < positions; i++) {
                numbers.add(
                        List.of(
                                entry.label(),
                                Integer.toString(i + 1),
                                String.valueOf(variant.acceptanceByPosition().get(i)),
                                String.valueOf(variant.conditionalAcceptanceByPosition().get(i))));
            }
        }
        return numbers;
    }
}
