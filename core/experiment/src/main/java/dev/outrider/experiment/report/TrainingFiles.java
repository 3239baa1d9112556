package dev.outrider.experiment.report;

import dev.outrider.common.AtomicFile;
import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.report.chart.Figure;
import dev.outrider.experiment.report.chart.TrainingCurve;
import dev.outrider.experiment.report.chart.TrainingFigures;
import dev.outrider.experiment.results.ResultFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The files of a training run's report: the page, and in a folder beside it every drawing.
public final class TrainingFiles {
    private TrainingFiles() {}

    /// Reads a run and writes its report.
    ///
    /// @param run a folder that `outrider train` writes
    /// @param out where the files go
    /// @return the page
    /// @throws OutriderException DATA_INVALID if the run cannot be read, RESULTS_NOT_WRITABLE
    public static Path write(Path run, Path out) {
        var read = TrainingCurve.read(run);
        var figures = TrainingFigures.of(read);
        Path page = out.resolve(ReportFiles.PAGE);
        ResultFolder.writing(
                out,
                () -> {
                    AtomicFile.write(page, page(read, figures));
                    for (var figure : figures) {
                        ReportFiles.write(figure, out.resolve(ReportFiles.FOLDER));
                    }
                });
        return page;
    }

    private static String page(TrainingCurve run, List<Figure> figures) {
        var sections = new ArrayList<Element>();
        figures.forEach(figure -> sections.add(Html.figureSection(figure)));
        var rows = new ArrayList<List<String>>(List.of(List.of("what", "value")));
        run.facts().forEach((key, value) -> rows.add(List.of(key, value)));
        boolean finished = !run.facts().isEmpty();
        sections.add(
                Html.section(
                        "run",
                        "The run",
                        List.of(
                                finished
                                        ? Html.table(rows)
                                        : Html.missing("A finished run says here what it was."))));
        return Html.Document.of(
                run.name(),
                "How the training went",
                finished ? List.of() : List.of("unfinished: there is no training.json"),
                sections);
    }
}
