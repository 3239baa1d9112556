package dev.outrider.experiment.report;

import dev.outrider.common.Columns;
import dev.outrider.experiment.report.column.Legend;
import dev.outrider.experiment.report.column.Place;
import dev.outrider.experiment.report.column.SideColumns;
import dev.outrider.experiment.report.column.StandingTables;
import dev.outrider.experiment.report.column.Table;
import dev.outrider.experiment.report.column.Terms;
import dev.outrider.experiment.run.FailedPrompt;
import dev.outrider.experiment.run.Mismatch;
import dev.outrider.experiment.stats.KindResult;
import dev.outrider.experiment.stats.SideResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The table a person reads, with the definition of every number under it.
public final class TextTable {
    private TextTable() {}

    /// Lay out a report.
    public static String of(Report report) {
        var text = new StringBuilder();
        if (!report.question().isEmpty()) {
            text.append(report.question().strip()).append("\n\n");
        }
        text.append(rows(report));
        text.append(positions(report));
        text.append(beams(report));
        text.append(kinds(report));
        text.append(standings(report));
        text.append(EarningsTable.of(report));
        text.append(CourseTable.of(report));
        text.append(CostTable.of(report));
        text.append(DiagnosisTable.of(report));
        text.append(EvidenceTable.section(report));
        text.append('\n').append(notes(report));
        text.append('\n').append(Legend.of(Terms.ofRun()));
        return text.toString();
    }

    private static String rows(Report report) {
        return Columns.aligned(Table.of(SideColumns.at(Place.TABLE), report.sides()).shown());
    }

    private static String standings(Report report) {
        return StandingTables.of(report.sides()).stream()
                .map(tables ->
                        "\nwhich is fastest, on the same prompts\n%s%s%s\n"
                                .formatted(
                                        Columns.aligned(tables.standings().shown()),
                                        tables.pairs().rows().size() < 3
                                                ? ""
                                                : "\n" + Columns.aligned(tables.pairs().shown()),
                                        tables.conclusion()))
                .collect(Collectors.joining());
    }

    private static String positions(Report report) {
        List<List<String>> rows =
                report.sides().stream()
                        .filter(side -> !side.perPosition().isEmpty())
                        .map(TextTable::positions)
                        .toList();
        return rows.isEmpty() ? "" : "\nper position\n" + Columns.aligned(rows);
    }

    private static List<String> positions(SideResult side) {
        List<String> row = new ArrayList<>();
        row.add(side.name());
        for (int i = 0; i < side.perPosition().size(); i++) {
            row.add(
                    String.format(
                            Locale.ROOT,
                            "%.3f (%.3f)",
                            side.perPosition().get(i),
                            side.conditionalPerPosition().get(i)));
        }
        return row;
    }

    private static String beams(Report report) {
        var searches = report.sides().stream().filter(side -> side.beams().isPresent()).toList();
        return searches.isEmpty()
                ? ""
                : "\nbeam search, against plain search of the same settings\n"
                        + Columns.aligned(Table.of(SideColumns.at(Place.BEAMS), searches).shown());
    }

    private static String kinds(Report report) {
        if (report.kinds().isEmpty()) {
            return "";
        }
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("variant"));
        report.kinds().forEach(kind -> head.add("%s (%d)".formatted(kind.kind(), kind.prompts())));
        rows.add(head);
        int variants = report.kinds().getFirst().variants().size();
        for (int i = 0; i < variants; i++) {
            List<String> row = new ArrayList<>();
            row.add(report.kinds().getFirst().variants().get(i).name());
            for (KindResult kind : report.kinds()) {
                row.add(ofKind(kind.variants().get(i)));
            }
            rows.add(row);
        }
        return "\nby kind (prompts)\n" + Columns.aligned(rows);
    }

    private static String ofKind(SideResult variant) {
        return SideColumns.at(Place.KINDS).stream()
                .map(column -> column.value().apply(variant).shown())
                .collect(Collectors.joining(" "));
    }

    private static String notes(Report report) {
        var text = new StringBuilder();
        text.append(report.prompts())
                .append(" of ")
                .append(report.plannedPrompts())
                .append(" prompts, ");
        text.append(report.repetitions())
                .append(report.repetitions() == 1 ? " repetition" : " repetitions");
        text.append(report.batch() == 1 ? "" : ", %d decoded together".formatted(report.batch()));
        text.append(
                report.interrupted() ? ", interrupted: what was measured until then.\n" : ".\n");
        report.looks().ifPresent(looks -> text.append(looks.shown()).append('\n'));
        for (SideResult side : report.sides()) {
            long failed = side.counts().failures();
            if (failed > 0) {
                text.append(
                        "'%s': drafter or rule failed %d times; those generations went on without drafts.%n"
                                .formatted(side.name(), failed));
            }
        }
        for (FailedPrompt failure : report.failures()) {
            text.append(
                    "left out of every side: prompt '%s', because '%s' failed: %s\n"
                            .formatted(
                                    failure.prompt(),
                                    failure.side(),
                                    failure.reason().replaceAll("\\s*\\R\\s*", " ")));
        }
        for (Mismatch mismatch : report.mismatches()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "'%s' differs from plain decoding on prompt '%s' at output token %d: %d instead of %d; %s %.3g\n",
                            mismatch.side(),
                            mismatch.prompt(),
                            mismatch.position(),
                            mismatch.variant(),
                            mismatch.plain(),
                            mismatch.searched() ? "scores differ by" : "top-2 logit gap there",
                            mismatch.gap()));
        }
        return text.toString();
    }
}
