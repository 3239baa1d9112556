package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.stats.VariantResult;
import java.util.ArrayList;
import java.util.List;

/// The time of a mean round by stage, a bar for each variant.
final class StageFigure {
    static final String ID = "stages";
    static final String TITLE = "Time of a round by stage";
    private static final List<String> STAGES =
            List.of("draft", "score", "decide", "commit", "observe", "rest");
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

    static Figure of(Results results) {
        var rows = new ArrayList<Row>();
        for (Cell cell : results.cells()) {
            cell.report()
                    .variants()
                    .forEach(variant ->
                            rows.add(new Row(results.label(cell, variant.name()), variant)));
        }
        rows.removeIf(row -> !(row.total() > 0));
        if (rows.isEmpty()) {
            return Figure.missing(
                    ID, TITLE, "No round was timed, so there are no stage times to show.");
        }
        String caption =
                "Mean milliseconds of a round: draft is the drafter proposing, score the target's pass over the draft,"
                        + " decide the acceptance rule, commit keeping cache rows, observe telling the drafter, rest everything"
                        + " else. On the right the whole round, and the time of an emitted token: the speedup is the ratio of the"
                        + " latter, but for prefill."
                        + (rows.size() > MAX
                                ? " The first %d of %d variants are drawn, all are in the numbers."
                                        .formatted(MAX, rows.size())
                                : "");
        return Figure.drawn(
                ID,
                TITLE,
                caption,
                draw(rows.subList(0, Math.min(MAX, rows.size()))),
                numbers(rows));
    }

    private static Element draw(List<Row> rows) {
        double bottom = TOP + rows.size() * ROW + 4;
        double most = rows.stream().mapToDouble(Row::total).max().orElse(1);
        var scale = Scale.fromZero(most, LEFT, RIGHT);
        var drawn = new ArrayList<Markup>();
        drawn.add(Hatches.definitions(ID));
        for (int i = 0; i < STAGES.size(); i++) {
            double x = LEFT + i * 78;
            drawn.add(Hatches.bar(ID, i, x, 4, 18, 14));
            drawn.add(Svg.text("label", x + 24, 15, STAGES.get(i)));
        }
        drawn.add(Svg.text("tick", RIGHT + 8, TOP - 8, "ms/round, ms/token"));
        drawn.addAll(Svg.horizontal(scale, TOP, bottom, "milliseconds"));
        for (int i = 0; i < rows.size(); i++) {
            row(drawn, rows.get(i), scale, TOP + 4 + i * ROW);
        }
        return Svg.root(ID, TITLE, bottom + 42, drawn);
    }

    private static void row(List<Markup> drawn, Row row, Scale scale, double top) {
        double height = ROW - 8;
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
            drawn.add(Svg.told(Hatches.bar(ID, stage, from, top, to - from, height), words));
            if (to - from > 40) {
                drawn.add(
                        Svg.centred(
                                "value boxed",
                                (from + to) / 2,
                                top + 15,
                                Svg.number(millis.get(stage), 2)));
            }
            before += millis.get(stage);
        }
        double perToken = row.total() / Math.max(1e-9, row.variant().tokensPerRound());
        drawn.add(
                Svg.text(
                        "value",
                        RIGHT + 10,
                        top + 15,
                        "%s, %s".formatted(Svg.number(row.total(), 2), Svg.number(perToken, 2))));
    }

    private static List<List<String>> numbers(List<Row> rows) {
        var numbers = new ArrayList<List<String>>();
        var head = new ArrayList<>(List.of("variant"));
        STAGES.forEach(stage -> head.add(stage + " ms"));
        numbers.add(head);
        for (Row row : rows) {
            var line = new ArrayList<>(List.of(row.label()));
            row.millis().forEach(each -> line.add(Double.toString(each)));
            numbers.add(line);
        }
        return numbers;
    }
}
