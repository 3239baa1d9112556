package dev.outrider.experiment.report;

import dev.outrider.experiment.report.Html.Document;
import dev.outrider.experiment.report.Html.FigureSection;
import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.report.chart.Figure;
import dev.outrider.experiment.report.chart.TrainingCurve;
import java.util.ArrayList;
import java.util.List;

/// The page of one training run.
public final class TrainingPage {
    private TrainingPage() {}

    /// Lay out a run.
    public static String of(TrainingCurve run, List<Figure> figures) {
        var sections = new ArrayList<Element>();
        figures.forEach(figure -> sections.add(FigureSection.of(figure)));
        sections.add(facts(run));
        boolean finished = !run.facts().isEmpty();
        return Document.of(
                run.name(),
                "How the training went",
                finished ? List.of() : List.of("unfinished: there is no training.json"),
                sections);
    }

    private static Element facts(TrainingCurve run) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("what", "value"));
        run.facts().forEach((key, value) -> rows.add(List.of(key, value)));
        return Html.section(
                "run",
                "The run",
                List.of(
                        run.facts().isEmpty()
                                ? Html.missing("A finished run says here what it was.")
                                : Html.table(rows)));
    }
}
