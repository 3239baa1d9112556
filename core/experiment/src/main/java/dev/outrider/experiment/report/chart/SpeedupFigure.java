package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.stats.VariantResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// Speedup with its interval, on all prompts and kind by kind.
final class SpeedupFigure {
    static final String ID = "speedup";
    static final String TITLE = "Speedup by task and temperature";
    private static final String ALL = "all prompts";
    private static final int MAX_ROWS = 90;

    private SpeedupFigure() {}

    static Figure of(Results results) {
        List<Forest.Row> rows = rows(results);
        if (rows.isEmpty()) {
            return Figure.missing(
                    ID, TITLE, "No variant was measured, so there is no speedup to show.");
        }
        int left = Math.max(0, rows.size() - MAX_ROWS);
        String caption =
                "Time per token of plain decoding over that of the variant, on the same prompts in the same process:"
                        + " median and 95 % bootstrap interval. Right of the line at 1 the variant is faster. An interval over fewer than"
                        + " six prompts is only their spread."
                        + (left > 0
                                ? " %d more rows are in the numbers below.".formatted(left)
                                : "");
        return Figure.drawn(
                ID,
                TITLE,
                caption,
                draw(rows.subList(0, rows.size() - left)),
                Forest.numbers(rows, List.of("prompts", "variant", "speedup", "low", "high")));
    }

    private static List<Forest.Row> rows(Results results) {
        var variants = results.entries();
        var rows = new ArrayList<Forest.Row>();
        for (int i = 0; i < variants.size(); i++) {
            var variant = variants.get(i);
            rows.add(new Forest.Row(ALL, label(variant), i, variant.variant().speedup()));
        }
        var kinds = new LinkedHashSet<String>();
        results.cells()
                .forEach(cell -> cell.report().kinds().forEach(kind -> kinds.add(kind.kind())));
        for (String kind : kinds) {
            for (int i = 0; i < variants.size(); i++) {
                int series = i;
                var variant = variants.get(i);
                find(variant, kind)
                        .ifPresent(found ->
                                rows.add(
                                        new Forest.Row(
                                                kind, label(variant), series, found.speedup())));
            }
        }
        return rows;
    }

    /// With the temperature, unless that is in the label for being an axis.
    private static String label(Results.Entry variant) {
        boolean axis =
                variant.cell().labels().keySet().stream()
                        .anyMatch(name -> name.endsWith("temperature"));
        if (axis) {
            return variant.label();
        }
        return "%s, T %s".formatted(variant.label(), Svg.number(variant.variant().temperature(), 2));
    }

    private static Optional<VariantResult> find(Results.Entry variant, String kind) {
        return variant.cell().report().kinds().stream()
                .filter(each -> each.kind().equals(kind))
                .flatMap(each -> each.variants().stream())
                .filter(each -> each.name().equals(variant.variant().name()))
                .findFirst();
    }

    private static Element draw(List<Forest.Row> rows) {
        double most = rows.stream().mapToDouble(row -> row.value().most()).max().orElse(1);
        var scale = Scale.fromZero(Math.max(1.2, most), Forest.LEFT, Forest.RIGHT);
        return Forest.draw(ID, TITLE, rows, scale, 1, "plain decoding", "speedup");
    }
}
