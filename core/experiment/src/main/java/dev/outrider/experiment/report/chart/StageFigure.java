package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.report.chart.Figure.Numbers;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.stats.VariantResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The time of a mean round by stage, a bar for each variant. The bars differ without colour: each stage has lines of its own.
final class StageFigure {
    static final String ID = "stages";

    private static final List<String> STAGES =
            List.of("draft", "score", "decide", "commit", "observe", "rest");

    /// The lines of each stage.
    private static final List<String> HATCHES =
            List.of(
                    "",
                    "M-2 10L10 -2M6 14L14 6",
                    "M3 3h2v2h-2zM9 9h2v2h-2z",
                    "M0 0L12 12M12 0L0 12",
                    "M0 3H12M0 9H12",
                    "M3 0V12M9 0V12");

    private static final int MAX = 40;
    private static final double NANOS = 1e6;
    private static final double LEFT = 236;
    private static final double RIGHT = Svg.WIDTH - 130;
    private static final double TOP = 44;
    private static final double ROW = 30;

    private StageFigure() {}

    private record Row(String label, VariantResult variant) {
        List<Double> millis() {
            var mean = variant.meanNanos();
            return List.of(
                    mean.draft() / NANOS,
                    mean.score() / NANOS,
                    mean.decide() / NANOS,
                    mean.commit() / NANOS,
                    mean.observe() / NANOS,
                    mean.rest() / NANOS);
        }

        double total() {
            return millis().stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    static Optional<Figure.Content> of(Results results) {
        var rows = new ArrayList<Row>();
        for (Results.Cell cell : results.cells()) {
            for (var variant : cell.report().variants()) {
                rows.add(new Row(results.label(cell, variant.name()), variant));
            }
        }
        rows.removeIf(row -> !(row.total() > 0));
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        var numbers = new Numbers("variant", STAGES.stream().map(each -> each + " ms").toList());
        rows.forEach(row -> numbers.row(row.label(), row.millis()));
        var shown = Figure.first(rows, MAX);
        double bottom = TOP + shown.size() * ROW + 4;
        return Optional.of(
                new Figure.Content(
                        Texts.of("stages.caption") + Figure.drawnOf(rows, MAX, "variants"),
                        bottom + 42,
                        draw(shown, bottom),
                        numbers));
    }

    private static List<Markup> draw(List<Row> rows, double bottom) {
        double most = rows.stream().mapToDouble(Row::total).max().orElse(1);
        var scale = Scale.fromZero(most, LEFT, RIGHT);
        var drawn = new ArrayList<Markup>();
        drawn.add(patterns());
        for (int i = 0; i < STAGES.size(); i++) {
            double x = LEFT + i * 78;
            drawn.add(bar(i, x, 4, 18, 14));
            drawn.add(Svg.text("label", x + 24, 15, STAGES.get(i)));
        }
        drawn.add(Svg.text("tick", RIGHT + 8, TOP - 8, "ms/round, ms/token"));
        drawn.addAll(Svg.horizontal(scale, TOP, bottom, "milliseconds"));
        for (int i = 0; i < rows.size(); i++) {
            row(drawn, rows.get(i), scale, TOP + 4 + i * ROW);
        }
        return drawn;
    }

    private static void row(List<Markup> drawn, Row row, Scale scale, double top) {
        drawn.add(Svg.fitted(Svg.text("label", 4, top + 15, ""), row.label(), LEFT - 14));
        double before = 0;
        var millis = row.millis();
        for (int stage = 0; stage < millis.size(); stage++) {
            double from = scale.at(before);
            double to = scale.at(before + millis.get(stage));
            String words =
                    "%s, %s: %s ms"
                            .formatted(
                                    row.label(),
                                    STAGES.get(stage),
                                    Svg.number(millis.get(stage), 3));
            drawn.add(Svg.told(bar(stage, from, top, to - from, ROW - 8), words));
            if (to - from > 40) {
                String number = Svg.number(millis.get(stage), 2);
                drawn.add(Svg.centred("value boxed", (from + to) / 2, top + 15, number));
            }
            before += millis.get(stage);
        }
        double perToken = row.total() / Math.max(1e-9, row.variant().tokensPerRound());
        String times = "%s, %s".formatted(Svg.number(row.total(), 2), Svg.number(perToken, 2));
        drawn.add(Svg.text("value", RIGHT + 10, top + 15, times));
    }

    private static Element patterns() {
        var patterns = new ArrayList<Markup>();
        for (int i = 0; i < HATCHES.size(); i++) {
            patterns.add(
                    Element.of("pattern")
                            .with("id", ID + "-fill" + i)
                            .with("width", 12)
                            .with("height", 12)
                            .with("patternUnits", "userSpaceOnUse")
                            .add(
                                    Svg.rect("f" + i, 0, 0, 12, 12),
                                    Svg.path(i == 2 ? "dots" : "hatch", HATCHES.get(i))));
        }
        return Element.of("defs").add(patterns);
    }

    private static Element bar(int stage, double x, double y, double width, double height) {
        return Svg.rect("filled", x, y, width, height)
                .with("fill", "url(#%s-fill%d)".formatted(ID, stage));
    }
}
