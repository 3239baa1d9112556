package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.report.read.Results;
import java.util.ArrayList;
import java.util.List;

/// Every drawing of a report, in the order of its page.
public final class Figures {
    private Figures() {}

    /// Draw results.
    public static List<Figure> of(Results results) {
        return List.of(
                SpeedupFigure.of(results),
                AcceptanceFigure.of(results),
                HistogramFigure.of(results),
                StageFigure.of(results),
                PredictionFigure.of(results),
                CostFigure.of(results),
                LandscapeFigure.of(results),
                BatchFigure.of(results),
                ResidualFigure.of(results));
    }

    /// The drawings that become files: those of the page, and what the page shows as text.
    public static List<Figure> files(Results results, List<Figure> ofPage) {
        var files = new ArrayList<>(ofPage);
        files.add(RoundsFigure.of(results));
        return files;
    }
}
