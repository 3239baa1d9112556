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
import java.util.Optional;

/// Finished results at other costs: reads the costs, prints the table and writes the report.
record OtherCostsReport(CommandContext context) {
    /// Prints the table and writes the report.
    ///
    /// @param results folder of one comparison
    /// @param place   a folder of results or a file of costs
    /// @param out     folder of the report
    /// @return the exit code
    /// @throws OutriderException if the results are several, or the place is neither
    int write(Path results, String place, Path out) {
        var cell = only(results, "--costs-of is for one");
        var there = costs(place, Optional.of(cell));
        var priced = OtherCosts.of(cell, there);
        ReportFiles.write(results, out, Optional.of(there), Optional.of(priced));
        context.out().print(OtherCostsTable.of(priced));
        return ExitCode.OK;
    }

    /// Returns the only comparison of a folder.
    ///
    /// @param reason why it must be the only one
    /// @throws OutriderException USAGE if the folder has several
    static Cell only(Path folder, String reason) {
        var cells = ResultReader.read(folder).cells();
        if (cells.size() > 1) {
            throw ErrorCode.USAGE.error(
                    "'%s' holds %d comparisons, and %s".formatted(folder, cells.size(), reason),
                    "Name the folder of one of them, such as %s."
                            .formatted(cells.getFirst().folder()));
        }
        return cells.getFirst();
    }

    /// Costs for the variants of a comparison.
    ///
    /// @param place a folder of results or a file of costs
    /// @param cell  of the comparison; if empty, the drafters are those of the costs
    /// @throws OutriderException if the place has no costs
    Costs costs(String place, Optional<Cell> cell) {
        Path path = Path.of(place);
        if (Files.isDirectory(path)) {
            var other = only(path, "--costs-of is for one");
            return MeasuredCosts.of(other, cell.orElse(other).speculative());
        }
        return ofFile(path, cell);
    }

    private Costs ofFile(Path file, Optional<Cell> cell) {
        var typed = context.loader().load(file, CostsFile.class, List.of()).config();
        var drafters = new LinkedHashMap<String, String>();
        cell.map(Cell::speculative)
                .orElse(List.of())
                .forEach(variant -> drafters.putIfAbsent(variant.name(), variant.drafter()));
        if (cell.isEmpty()) {
            typed.drafters().forEach(each -> drafters.put(each.name(), each.name()));
        }
        var plain =
                cell.map(each -> each.report().variants()).orElse(List.of()).stream()
                        .filter(VariantResult::plain)
                        .map(VariantResult::name)
                        .toList();
        try {
            return typed.costs(
                    file.toString(), drafters, cell.isEmpty() ? List.of("plain") : plain);
        } catch (IllegalArgumentException e) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "%s: %s".formatted(file, e.getMessage()),
                    "Name variants or drafters of the results.",
                    e);
        }
    }
}
