package dev.outrider.experiment.report;

import dev.outrider.common.Columns;
import dev.outrider.experiment.stats.Diagnosis;
import dev.outrider.experiment.stats.SideResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Why measured speedups are not the formula's, as a person reads it.
final class DiagnosisTable {
    private DiagnosisTable() {}

    /// A line for each variant and a column for each reason; nothing where nothing was measured.
    static String of(Report report) {
        List<List<String>> rows = new ArrayList<>();
        for (SideResult side : report.sides()) {
            Optional<Diagnosis> diagnosis = side.diagnosis();
            if (diagnosis.isPresent()) {
                if (rows.isEmpty()) {
                    rows.add(heading(diagnosis.get()));
                }
                rows.add(row(side.name(), diagnosis.get()));
            }
        }
        return rows.isEmpty() ? "" : "\ndiagnose\n" + Columns.aligned(rows);
    }

    private static List<String> heading(Diagnosis diagnosis) {
        List<String> heading = new ArrayList<>(List.of("variant", "pred a,c"));
        diagnosis.reasons().forEach(reason -> heading.add(reason.name()));
        heading.addAll(List.of("speedup", "most of all", "best K"));
        return heading;
    }

    private static List<String> row(String variant, Diagnosis diagnosis) {
        List<String> row = new ArrayList<>(List.of(variant));
        row.add(number(diagnosis.predictedByAlphaAndCost()));
        diagnosis.reasons().forEach(reason -> row.add("x " + number(reason.factor())));
        row.add("= " + number(diagnosis.measured()));
        row.add(diagnosis.greatest().name());
        row.add(Integer.toString(diagnosis.bestLength()));
        return row;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
