package dev.outrider.experiment.report.table;

import dev.outrider.experiment.report.VariantSummary;
import dev.outrider.experiment.report.read.Cell;
import java.util.function.Function;

/// A column of the summary.
///
/// @param key        of the number in `summary.json`
/// @param heading    as tables show it
/// @param definition a sentence
/// @param value      of a row
public record Column(String key, String heading, String definition, Function<Row, Value> value) {
    /// A variant of a cell.
    public record Row(Cell cell, VariantSummary summary) {}
}
