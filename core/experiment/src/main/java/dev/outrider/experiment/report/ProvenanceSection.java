package dev.outrider.experiment.report;

import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.report.chart.Markup;
import dev.outrider.experiment.results.Provenance;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.TextTable;
import java.util.ArrayList;
import java.util.List;

/// The provenance of the numbers, cell by cell.
final class ProvenanceSection {
    private ProvenanceSection() {}

    static Element of(Results results) {
        var content = new ArrayList<Markup>();
        var revisions =
                results.cells().stream()
                        .flatMap(cell -> cell.provenance().stream())
                        .map(from -> from.git().revision())
                        .distinct()
                        .toList();
        if (revisions.size() > 1) {
            content.add(
                    Element.of("p", "warning")
                            .text(
                                    "These results come from %d revisions of the program; speedups of different revisions differ"
                                                    .formatted(revisions.size())
                                            + " for more reasons than their settings."));
        }
        if (results.several()) {
            content.add(overview(results));
        }
        for (Results.Cell cell : results.cells()) {
            Element body =
                    cell.provenance()
                            .map(provenance ->
                                    Html.table(rows(TextTable.coverage(cell.report()), provenance)))
                            .orElseGet(() ->
                                    Html.missing(
                                            "There is no provenance.json, so the origin of these numbers is unknown."));
            content.add(
                    results.several()
                            ? Html.folded(cell.title(), body)
                            : Element.of("div").add(body));
        }
        return Html.section("provenance", "Provenance", content);
    }

    /// A table of the cells, also for print.
    private static Element overview(Results results) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("cell", "started", "revision", "configuration (SHA-256)", "measured"));
        for (Results.Cell cell : results.cells()) {
            rows.add(
                    List.of(
                            cell.title(),
                            cell.provenance().map(Provenance::startedAt).orElse("unknown"),
                            cell.provenance().map(from -> from.git().shown()).orElse("unknown"),
                            cell.provenance().map(Provenance::configHash).orElse("unknown"),
                            TextTable.coverage(cell.report())));
        }
        return Html.table(rows);
    }

    private static List<List<String>> rows(String coverage, Provenance from) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("what", "value"));
        rows.add(List.of("started", from.startedAt()));
        rows.add(List.of("revision", from.git().shown()));
        rows.add(List.of("configuration (SHA-256)", from.configHash()));
        from.models().forEach((role, digest) -> rows.add(List.of(role, digest)));
        from.revisions()
                .ifPresent(all -> all.forEach((name, commit) -> rows.add(List.of(name, commit))));
        rows.add(List.of("JVM", from.machine().jvm()));
        from.machine().engines().forEach((name, version) -> rows.add(List.of(name, version)));
        rows.add(List.of("device", from.machine().device()));
        rows.add(List.of("threads", Integer.toString(from.machine().threads())));
        rows.add(List.of("seed", Long.toString(from.seed())));
        rows.add(List.of("measured", coverage));
        from.sources().ifPresent(sources -> rows.add(List.of("sources", sources)));
        rows.add(
                List.of(
                        "warm-up",
                        "each variant generated %d times before measuring"
                                .formatted(from.warmup())));
        rows.add(List.of("timed", from.timed()));
        return rows;
    }
}
