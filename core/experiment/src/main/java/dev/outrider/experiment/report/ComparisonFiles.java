package dev.outrider.experiment.report;

import dev.outrider.common.AtomicFile;
import dev.outrider.experiment.report.chart.Forest;
import dev.outrider.experiment.report.chart.MarkupWriter;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// The files of a comparison of two results.
///
/// @param page     the HTML file; a CSV and an SVG file of the same name lie beside it
/// @param warnings what makes the comparison doubtful; the page begins with them
public record ComparisonFiles(Path page, List<String> warnings) {
    private static final String NAME = "comparison";

    public ComparisonFiles {
        warnings = List.copyOf(warnings);
    }

    /// Read two results, pair them and write what came out.
    ///
    /// @param out where the files go
    /// @throws OutriderException DATA_INVALID if they cannot be read or not be compared, RESULTS_NOT_WRITABLE
    public static ComparisonFiles write(Path first, Path second, Path out) {
        var comparison = ResultComparison.of(ResultReader.read(first), ResultReader.read(second));
        var figure =
                Forest.differences(
                        comparison.differences().stream()
                                .collect(
                                        Collectors.toMap(
                                                each -> each.label(),
                                                each -> each.speedup(),
                                                (one, _) -> one,
                                                LinkedHashMap::new)));
        Path page = out.resolve(NAME + ".html");
        try {
            AtomicFile.write(page, ComparisonPage.of(comparison, figure));
            AtomicFile.write(out.resolve(NAME + ".csv"), Csv.of(figure.numbers()));
            AtomicFile.write(
                    out.resolve(NAME + ".svg"),
                    MarkupWriter.svgFile(figure.drawing().orElseThrow()));
            return new ComparisonFiles(page, comparison.warnings());
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.RESULTS_NOT_WRITABLE,
                    "the comparison cannot be written to '%s': %s".formatted(out, e),
                    "Free space there, or choose another folder with --out.",
                    e);
        }
    }
}
