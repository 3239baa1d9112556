package dev.outrider.experiment.report;

import dev.outrider.common.AtomicFile;
import dev.outrider.experiment.report.chart.TrainingCurve;
import dev.outrider.experiment.report.chart.TrainingFigures;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;

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
        try {
            Path page = out.resolve(ReportFiles.PAGE);
            AtomicFile.write(page, TrainingPage.of(read, figures));
            for (var figure : figures) {
                ReportFiles.write(figure, out.resolve(ReportFiles.FOLDER));
            }
            return page;
        } catch (IOException e) {
            throw ReportFiles.notWritable(out, e);
        }
    }
}
