package dev.outrider.experiment.report;

import dev.outrider.common.AtomicFile;
import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.costs.MeasuredCosts;
import dev.outrider.experiment.costs.OtherCosts;
import dev.outrider.experiment.lab.Asked;
import dev.outrider.experiment.lab.LabReport;
import dev.outrider.experiment.lab.Laboratory;
import dev.outrider.experiment.lab.Recording;
import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.report.chart.Figure;
import dev.outrider.experiment.report.chart.Figures;
import dev.outrider.experiment.report.chart.Markup;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.ResultFolder;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A report's files: the page, and in a folder beside it every drawing and table.
///
/// @param page   the HTML file
/// @param folder holds `report.md`, `summary.csv`, and for each drawing an SVG and a CSV file
public record ReportFiles(Path page, Path folder) {
    static final String PAGE = "report.html";
    static final String FOLDER = "report";
    private static final String COSTS = "costs.json";
    private static final String LABORATORY = "laboratory.json";

    /// Reads results and writes their report.
    ///
    /// @param results folder of one comparison or of a sweep
    /// @param out     where the files go
    /// @param there   other costs, which a recording then uses
    /// @param costs   the results of the same rounds at these costs, which are also written to `report/costs.json`
    /// @throws OutriderException DATA_INVALID if the results cannot be read, RESULTS_NOT_WRITABLE
    public static ReportFiles write(
            Path results, Path out, Optional<Costs> there, Optional<OtherCosts> costs) {
        var recorded = RecordedAnswers.of(ResultReader.read(results), there);
        Results read = recorded.results();
        List<Figure> figures = Figures.of(read);
        var drawings = new ArrayList<>(figures);
        recorded.laboratory().map(Figures::headroom).ifPresent(drawings::add);
        var files = new ReportFiles(out.resolve(PAGE), out.resolve(FOLDER));
        ResultFolder.writing(
                out,
                () -> {
                    AtomicFile.write(
                            files.page(), HtmlPage.of(read, figures, costs, recorded.laboratory()));
                    AtomicFile.write(
                            files.folder().resolve("report.md"),
                            Markdown.of(read, drawings, costs));
                    AtomicFile.write(
                            files.folder().resolve("summary.csv"),
                            Csv.of(SummaryTable.whole(read)));
                    json(files.folder().resolve(COSTS), costs);
                    json(files.folder().resolve(LABORATORY), recorded.laboratory());
                    for (Figure figure : drawings) {
                        write(figure, files.folder());
                    }
                });
        return files;
    }

    /// Deletes the file of an earlier report if this report has no such content.
    private static void json(Path file, Optional<?> content) throws IOException {
        if (content.isPresent()) {
            AtomicFile.write(file, Json.pretty(content.get()));
        } else {
            Files.deleteIfExists(file);
        }
    }

    /// Writes the SVG and the CSV file, or deletes those of an earlier report if there is no drawing.
    static void write(Figure figure, Path folder) throws IOException {
        Path svg = folder.resolve(figure.id() + ".svg");
        Path csv = folder.resolve(figure.id() + ".csv");
        Optional<Element> drawing = figure.drawing();
        if (drawing.isEmpty()) {
            Files.deleteIfExists(svg);
            Files.deleteIfExists(csv);
            return;
        }
        AtomicFile.write(svg, Markup.svgFile(drawing.get()));
        AtomicFile.write(csv, Csv.of(figure.numbers()));
    }

    /// The answers from the recording of a comparison, if there is one.
    ///
    /// @param results    with a gap that says so if the recording is broken: the rest of the report does not need it
    /// @param laboratory the answers
    private record RecordedAnswers(Results results, Optional<LabReport> laboratory) {
        /// @param there other costs than the run's own
        static RecordedAnswers of(Results results, Optional<Costs> there) {
            var cell = results.cells().getFirst();
            if (results.several() || !Recording.isIn(cell.folder())) {
                return new RecordedAnswers(results, Optional.empty());
            }
            try {
                var own = MeasuredCosts.of(cell);
                var recording = Recording.read(cell.folder());
                var asked = Asked.everything();
                var laboratory =
                        there.map(costs ->
                                        new Laboratory(
                                                recording, costs, own, Optional.empty(), asked))
                                .orElseGet(() -> Laboratory.atOwnCosts(recording, own, asked));
                return new RecordedAnswers(results, Optional.of(laboratory.report()));
            } catch (OutriderException e) {
                var gaps = new ArrayList<>(results.gaps());
                gaps.add("the recording is left out: %s".formatted(e.problem()));
                return new RecordedAnswers(
                        new Results(results.name(), results.folder(), results.cells(), gaps),
                        Optional.empty());
            }
        }
    }
}
