package dev.outrider.experiment.report;

import dev.outrider.common.Columns;
import dev.outrider.experiment.stats.CostPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The target's cost curve as a person reads it.
final class CostTable {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int MAX_COLUMNS = 16;

    private CostTable() {}

    /// A few lines, or nothing where every pass had the same number of rows.
    static String of(Report report) {
        List<CostPoint> curve = report.costCurve();
        if (curve.size() < 2) {
            return "";
        }
        List<String> rows = new ArrayList<>(List.of("rows"));
        List<String> ratios = new ArrayList<>(List.of("t(n)/t(1)"));
        List<String> millis = new ArrayList<>(List.of("ms"));
        List<String> experts = new ArrayList<>(List.of("experts"));
        for (CostPoint point : curve.subList(0, Math.min(MAX_COLUMNS, curve.size()))) {
            rows.add(Integer.toString(point.rows()));
            ratios.add(String.format(Locale.ROOT, "%.2f", point.ratio()));
            millis.add(String.format(Locale.ROOT, "%.2f", point.meanNanos() / NANOS_PER_MILLI));
            point.experts()
                    .ifPresent(count -> experts.add(String.format(Locale.ROOT, "%.2f", count)));
        }
        List<List<String>> lines = new ArrayList<>(List.of(rows, millis, ratios));
        if (experts.size() == rows.size()) {
            lines.add(experts);
        }
        return "\ncost of the target's pass\n" + Columns.aligned(lines);
    }
}
