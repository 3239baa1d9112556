package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Entry;
import java.util.ArrayList;
import java.util.List;

/// Predicted against measured speedup.
final class PredictionFigure {
    static final String ID = "prediction";
    static final String TITLE = "Predicted against measured";
    private static final int MAX = 24;
    private static final double LEFT = 60;
    private static final double RIGHT = 430;
    private static final double TOP = 16;
    private static final double BOTTOM = TOP + RIGHT - LEFT;

    private PredictionFigure() {}

    static Figure of(Results results) {
        List<Entry> all =
                results.entries().stream()
                        .filter(each -> each.variant().expectedSpeedup() > 0)
                        .toList();
        if (all.isEmpty()) {
            return Figure.missing(
                    ID, TITLE, "No variant drafted anything, so theory predicts nothing.");
        }
        String caption =
                "On the dashed line theory is right; above it the variant is faster than predicted. Filled marks: from"
                        + " tokens per round and the mean times of this run's rounds, E[tokens] t(1) / (t_draft + t(n) + t_rest)."
                        + " Hollow marks: from alpha, K and c alone, (1 - a^(K+1)) / ((1 - a)(K c + 1)), which takes guesses to be"
                        + " accepted independently and a pass of n rows to cost what a pass of one does. Whiskers are 95 %"
                        + " intervals of the measurement."
                        + (all.size() > MAX
                                ? " The first %d of %d variants are drawn, all are in the numbers."
                                        .formatted(MAX, all.size())
                                : "");
        return Figure.drawn(
                ID, TITLE, caption, draw(all.subList(0, Math.min(MAX, all.size()))), numbers(all));
    }

    private static Element draw(List<Entry> entries) {
        double most = 1.2;
        for (Entry entry : entries) {
            var variant = entry.variant();
            most = Math.max(most, variant.speedup().most());
            most = Math.max(most, variant.expectedSpeedup());
            most = Math.max(most, variant.formulaSpeedup());
        }
        var x = Scale.fromZero(most, LEFT, RIGHT);
        var y = Scale.fromZero(most, BOTTOM, TOP);
        var drawn = new ArrayList<Markup>();
        drawn.addAll(Axes.vertical(y, LEFT, RIGHT, "measured speedup"));
        drawn.addAll(Axes.horizontal(x, TOP, BOTTOM, "predicted speedup"));
        drawn.add(Svg.line("reference", x.at(0), y.at(0), x.at(x.high()), y.at(y.high())));
        for (int i = 0; i < entries.size(); i++) {
            points(drawn, i, entries.get(i), x, y);
        }
        double legend = 24;
        drawn.addAll(
                Series.legend(entries.stream().map(Entry::label).toList(), 460, legend, 255));
        double notes = legend + Series.legendHeight(entries.size()) + 10;
        drawn.add(Series.mark(0, 474, notes, false));
        drawn.add(Svg.text("tick", 496, notes + 4, "filled: by measured times"));
        drawn.add(Series.mark(0, 474, notes + 18, true));
        drawn.add(Svg.text("tick", 496, notes + 22, "hollow: by alpha, K and c"));
        return Svg.root(ID, TITLE, Math.max(BOTTOM + 42, notes + 34), drawn);
    }

    private static void points(List<Markup> drawn, int series, Entry entry, Scale x, Scale y) {
        var variant = entry.variant();
        var measured = variant.speedup();
        double byTimes = x.at(variant.expectedSpeedup());
        String style = "whisker " + Series.colour(series);
        drawn.add(Svg.line(style, byTimes, y.at(measured.least()), byTimes, y.at(measured.most())));
        for (boolean hollow : new boolean[] {false, true}) {
            double predicted = hollow ? variant.formulaSpeedup() : variant.expectedSpeedup();
            drawn.add(
                    Svg.told(
                            Series.mark(series, x.at(predicted), y.at(measured.median()), hollow),
                            "%s: predicted %s by %s, measured %s"
                                    .formatted(
                                            entry.label(),
                                            Svg.number(predicted, 2),
                                            hollow ? "alpha, K and c" : "times",
                                            Svg.number(measured.median(), 2))));
        }
    }

    private static List<List<String>> numbers(List<Entry> entries) {
        var numbers = new ArrayList<List<String>>();
        numbers.add(
                List.of(
                        "variant",
                        "predicted by times",
                        "predicted by alpha, K, c",
                        "measured",
                        "low",
                        "high"));
        for (Entry entry : entries) {
            var variant = entry.variant();
            var cells =
                    new ArrayList<>(
                            List.of(
                                    entry.label(),
                                    Double.toString(variant.expectedSpeedup()),
                                    Double.toString(variant.formulaSpeedup())));
            cells.addAll(variant.speedup().fields());
            numbers.add(cells);
        }
        return numbers;
    }
}
