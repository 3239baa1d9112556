package dev.outrider.cli;

import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.costs.CostsFile;
import dev.outrider.experiment.costs.MeasuredCosts;
import dev.outrider.experiment.costs.OtherCosts;
import dev.outrider.experiment.costs.OtherCostsTable;
import dev.outrider.experiment.report.ReportFiles;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Finished results at other costs: reads or measures the costs, prints the table and writes the report.
final class OtherCostsReport {
    private final CommandContext context;

    OtherCostsReport(CommandContext context) {
        this.context = context;
    }

    /// Prints the table and writes the report.
    ///
    /// @param results folder of one comparison
    /// @param place   a shape, a folder of results or a file of costs
    /// @param out     where the report goes
    /// @return the exit code
    /// @throws OutriderException if the results are several, or the place is none of these
    int write(Path results, String place, Path out) {
        var cells = ResultReader.read(results).cells();
        if (cells.size() > 1) {
            throw new OutriderException(
                    ErrorCode.USAGE,
                    "'%s' holds %d comparisons, and --costs-of is for one"
                            .formatted(results, cells.size()),
                    "Name the folder of one of them, such as %s."
                            .formatted(cells.getFirst().folder()));
        }
        var cell = cells.getFirst();
        return new Measurement(context)
                .print(
                        "costs",
                        watch -> {
                            var there = costs(place, cell, watch);
                            var priced = OtherCosts.of(cell, there);
                            ReportFiles.write(
                                    results, out, Optional.of(there), Optional.of(priced));
                            return OtherCostsTable.of(priced);
                        });
    }

    /// Costs for the variants of a comparison.
    ///
    /// @param place a shape, a folder of results or a file of costs
    /// @throws OutriderException if the place is none of these
    Costs costs(String place, Cell cell, Measurement.Watch watch) {
        if (ShapeCosts.names(place)) {
            return new ShapeCosts(context).of(place, cell, watch);
        }
        Path path = Path.of(place);
        if (Files.isDirectory(path)) {
            return ofResults(path, cell);
        }
        if (Files.isRegularFile(path)) {
            return ofFile(path, cell);
        }
        throw new OutriderException(
                ErrorCode.USAGE,
                "--costs-of is '%s', which is no shape, no folder and no file".formatted(place),
                "Shapes are %s; two of them joined by '+' are those of target and draft model."
                        .formatted(ShapeCosts.all()));
    }

    private static Costs ofResults(Path folder, Cell cell) {
        var others = ResultReader.read(folder).cells();
        if (others.size() > 1) {
            throw new OutriderException(
                    ErrorCode.USAGE,
                    "'%s' holds %d comparisons".formatted(folder, others.size()),
                    "Name the folder of one of them.");
        }
        return MeasuredCosts.of(others.getFirst(), cell.speculative());
    }

    private Costs ofFile(Path file, Cell cell) {
        var typed = context.loader().load(file, CostsFile.class, List.of()).config();
        Map<String, String> drafters =
                cell.speculative().stream()
                        .collect(
                                Collectors.toMap(
                                        VariantResult::name,
                                        VariantResult::drafter,
                                        (one, _) -> one,
                                        LinkedHashMap::new));
        var plain =
                cell.report().variants().stream()
                        .filter(VariantResult::plain)
                        .map(VariantResult::name)
                        .toList();
        try {
            return typed.costs(file.toString(), drafters, plain);
        } catch (IllegalArgumentException e) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "%s: %s".formatted(file, e.getMessage()),
                    "Name variants or drafters of the results.",
                    e);
        }
    }
}
