package dev.outrider.experiment.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.common.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A sweep's results as a person reads them: a line for each variant of each cell.
public final class SweepTable {
    private static final String DEFINITIONS =
            """
            speedup     time per token of plain decoding / of the variant, on the same prompt in the same process, sides
                        interleaved in every cell; median over prompts and repetitions [95 % bootstrap interval]
            predicted   E[tokens] t(1) / (t_draft + t(n) + t_rest) with the cell's measured times
            tok/round   emitted tokens / target passes, the following token included; plain decoding is 1
            a (alpha)   accepts / (accepts + rejections) over the positions reached
            c           time of one draft step / of one target pass of one row
            Every cell's folder holds its own table with all definitions, stage times, acceptance by position and evidence.
            """;

    private SweepTable() {}

    /// The table of a merged report.
    public static String of(SweepSummary sweep) {
        var text = new StringBuilder();
        if (!sweep.question().isEmpty()) {
            text.append(sweep.question().strip()).append("\n\n");
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(heading(sweep));
        for (SweepSummary.Cell cell : sweep.cells()) {
            cell.summary().forEach(variant -> rows.add(row(sweep, cell, variant)));
        }
        text.append(Columns.aligned(rows)).append('\n');
        text.append(
                "%d of %d cells finished, %d failed, %d refused, %d excluded.\n"
                        .formatted(
                                sweep.finished(),
                                sweep.planned(),
                                sweep.failures().size(),
                                sweep.refused().size(),
                                sweep.excluded()));
        sweep.failures()
                .forEach(failure ->
                        text.append(
                                "failed: cell %d (%s): %s\n"
                                        .formatted(
                                                failure.index(),
                                                PlannedCell.describe(failure.labels()),
                                                oneLine(failure.message()))));
        sweep.refused()
                .forEach(refused ->
                        text.append(
                                "refused: %s: %s\n"
                                        .formatted(refused.describe(), oneLine(refused.reason()))));
        if (sweep.revisions().size() > 1) {
            text.append("mixed revisions: ")
                    .append(String.join(", ", sweep.revisions()))
                    .append('\n');
        }
        return text.append('\n').append(DEFINITIONS).toString();
    }

    private static List<String> heading(SweepSummary sweep) {
        List<String> heading = new ArrayList<>(List.of("cell"));
        sweep.axes().forEach(axis -> heading.add(axis.name()));
        heading.addAll(
                List.of(
                        "variant",
                        "rule",
                        "T",
                        "speedup",
                        "predicted",
                        "tok/round",
                        "a",
                        "c",
                        "engine",
                        "exactness"));
        return heading;
    }

    private static List<String> row(SweepSummary sweep, SweepSummary.Cell cell, JsonNode variant) {
        List<String> row = new ArrayList<>(List.of(Integer.toString(cell.index())));
        sweep.axes().forEach(axis -> row.add(cell.labels().getOrDefault(axis.name(), "")));
        JsonNode speedup = variant.path("speedup");
        row.addAll(
                List.of(
                        variant.path("variant").asText(),
                        variant.path("rule").asText(),
                        number("%.2f", variant.path("temperature")),
                        String.format(
                                Locale.ROOT,
                                "%.2f [%.2f, %.2f]",
                                speedup.path("median").asDouble(),
                                speedup.path("low").asDouble(),
                                speedup.path("high").asDouble()),
                        number("%.2f", variant.path("predictedSpeedup")),
                        number("%.2f", variant.path("tokensPerRound")),
                        number("%.3f", variant.path("alpha")),
                        number("%.3f", variant.path("c")),
                        String.format(
                                Locale.ROOT,
                                "%.1f%%",
                                100 * variant.path("engineShare").asDouble()),
                        variant.path("losslessness").asText()));
        return row;
    }

    private static String number(String format, JsonNode value) {
        return String.format(Locale.ROOT, format, value.asDouble());
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
