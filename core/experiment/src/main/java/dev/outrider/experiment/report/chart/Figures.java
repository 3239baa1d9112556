package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.results.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Every drawing of a report, in the order of its page. A new one is a class of its own, a line here, and a row of
/// `docs/guide/reports.md`.
public final class Figures {
    private Figures() {}

    /// A drawing that every report has, or says why not.
    ///
    /// @param title its heading
    /// @param shows what one sees, as the documentation says it
    /// @param draw  from results
    public record Kind(String title, String shows, Function<Results, Figure> draw) {}

    /// The drawings of the page.
    public static final List<Kind> OF_PAGE =
            List.of(
                    new Kind(
                            SpeedupFigure.TITLE,
                            "medians with 95 % intervals, over all prompts and kind by kind",
                            SpeedupFigure::of),
                    new Kind(
                            AcceptanceFigure.TITLE,
                            "accepted at position i, of all drafts and of those tested there",
                            AcceptanceFigure::of),
                    new Kind(
                            HistogramFigure.TITLE,
                            "share of rounds that decided 1, 2, ... tokens",
                            HistogramFigure::of),
                    new Kind(
                            StageFigure.TITLE,
                            "where a mean round spends its time, and what a token costs",
                            StageFigure::of),
                    new Kind(
                            PredictionFigure.TITLE,
                            "theory from measured times, and from alpha, K and c alone",
                            PredictionFigure::of),
                    new Kind(
                            CostFigure.TITLE,
                            "t(n)/t(1), and the unique experts of a target that has any",
                            CostFigure::of),
                    new Kind(
                            LandscapeFigure.TITLE,
                            "theory's landscape at one c, which a slider changes; the measured variants on it",
                            LandscapeFigure::of),
                    new Kind(
                            LengthFigure.TITLE,
                            "depth drafted, tokens accepted and time per token along the rounds, of variants whose drafts vary in depth",
                            LengthFigure::of),
                    new Kind(BatchFigure.TITLE, "for sweeps with an axis `batch`", BatchFigure::of),
                    new Kind(
                            ResidualFigure.TITLE,
                            "p and q of one round of this run: accepted mass min(p, q), redrawn mass p - q, together p",
                            ResidualFigure::of));

    /// What the page shows as text, and its files as a drawing.
    public static final List<Kind> OF_FILES =
            List.of(
                    new Kind(
                            RoundsFigure.TITLE,
                            "accepted, rejected, corrected and bonus tokens of one prompt; as a drawing `rounds.svg`",
                            RoundsFigure::of));

    /// Draw results.
    public static List<Figure> of(Results results) {
        return drawn(OF_PAGE, results);
    }

    /// The drawings that become files: those of the page, and what the page shows as text.
    public static List<Figure> files(Results results, List<Figure> ofPage) {
        var files = new ArrayList<>(ofPage);
        files.addAll(drawn(OF_FILES, results));
        return files;
    }

    private static List<Figure> drawn(List<Kind> kinds, Results results) {
        return kinds.stream().map(kind -> kind.draw().apply(results)).toList();
    }
}
