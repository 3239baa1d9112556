package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.lab.LabReport;
import dev.outrider.experiment.lab.LabReport.OfVariant;
import dev.outrider.experiment.lab.LabReport.Position;
import dev.outrider.experiment.report.chart.Figure.Numbers;
import dev.outrider.experiment.report.chart.LineChart.Curve;
import dev.outrider.experiment.report.chart.LineChart.Panel;
import dev.outrider.experiment.report.chart.LineChart.Point;
import dev.outrider.experiment.report.chart.LineChart.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// By position, what the first rule of a recorded run keeps and what an optimal coupling would keep.
public final class HeadroomFigure {
    private static final String ID = "headroom";
    private static final String TITLE = "Headroom by position";
    private static final int MAX = 8;

    private HeadroomFigure() {}

    /// Returns the figure of a laboratory's report.
    public static Figure of(LabReport report) {
        var all =
                report.variants().stream()
                        .filter(variant -> !variant.positions().isEmpty())
                        .toList();
        if (all.isEmpty()) {
            return Figure.missing(
                    ID, TITLE, "Nothing was recorded, so there is no headroom to show.");
        }
        var variants = Figure.first(all, MAX);
        int deepest = variants.stream().mapToInt(each -> each.positions().size()).max().orElse(1);
        var kept = new ArrayList<Curve>();
        var reached = new ArrayList<Curve>();
        for (int i = 0; i < variants.size(); i++) {
            kept.add(curve(i, variants.get(i), Position::kept, Style.MARKED));
            kept.add(curve(i, variants.get(i), Position::overlap, Style.HOLLOW));
            reached.add(curve(i, variants.get(i), Position::reached, Style.MARKED));
        }
        var panels =
                List.of(
                        panel("kept if reached", deepest, false, kept),
                        panel("rounds that reach it", deepest, true, reached));
        var numbers =
                new Numbers(
                        "variant", "position", "reached", "kept if reached", "block", "coupling");
        for (OfVariant variant : all) {
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
        return Figure.drawn(
                ID,
                TITLE,
                "Left: of the rounds that reach a position, the share that keeps the guess there under the first rule (filled),"
                        + " and the share that an optimal coupling of p and q would keep, sum min(p, q) (hollow). A better rule"
                        + " can gain what is between them; a better drafter or more guesses can gain what is above the hollow"
                        + " marks. Right: the share of rounds that reach the position.",
                LineChart.draw(
                        ID, TITLE, panels, variants.stream().map(OfVariant::variant).toList()),
                numbers.rows());
    }

    private static Panel panel(String title, int deepest, boolean right, List<Curve> curves) {
        return Panel.of(
                        title,
                        "position",
                        LineChart.half(deepest, right),
                        "share",
                        LineChart.shares(),
                        curves)
                .named(LineChart.positions(deepest));
    }

    private static Curve curve(
            int series, OfVariant variant, ToDoubleFunction<Position> share, Style style) {
        return new Curve(
                series,
                style,
                variant.positions().stream()
                        .map(position -> {
                            double value = share.applyAsDouble(position);
                            return Point.of(
                                    position.position() - 1,
                                    value,
                                    "%s, position %d: %s"
                                            .formatted(
                                                    variant.variant(),
                                                    position.position(),
                                                    Svg.number(value, 3)));
                        })
                        .toList());
    }
}
