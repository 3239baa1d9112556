package dev.outrider.experiment.report;

import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.report.chart.Markup;
import dev.outrider.experiment.report.chart.Texts;
import dev.outrider.experiment.results.EvidenceTable;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.TextTable;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.TestColumns;
import dev.outrider.experiment.table.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// Exactness of the output: greedy ids, tests of the distribution, and prompts that were left out.
final class EvidenceSection {
    private EvidenceSection() {}

    static Element of(Results results) {
        var content = new ArrayList<Markup>();
        content.add(Html.paragraph(Texts.of("exactness.text")));
        var rows = new ArrayList<List<String>>();
        for (Results.Cell cell : results.cells()) {
            cell.speculative().forEach(variant -> rows.add(row(results, cell, variant)));
        }
        if (rows.isEmpty()) {
            content.add(Html.missing("No variant was measured, so there is nothing to be exact."));
        } else {
            rows.addFirst(List.of("variant", "rule", "T", "promised", "verdict", "why"));
            content.add(Html.table(rows));
        }
        content.add(tests(results));
        content.addAll(findings(results));
        return Html.section("exactness", "Exactness", content);
    }

    private static List<String> row(Results results, Results.Cell cell, VariantResult variant) {
        var exactness = variant.exactness();
        List<String> verdict =
                exactness
                        .evidence()
                        .map(found -> List.of(found.verdict(), found.reason()))
                        .or(() -> exactness.greedyIds().map(EvidenceSection::verdict))
                        .orElse(
                                List.of(
                                        "not tested",
                                        "exactnessTestSeconds was 0, or the run was interrupted"));
        return List.of(
                results.label(cell, variant.name()),
                variant.rule(),
                Value.decimal(variant.temperature(), 2),
                exactness.losslessness(),
                verdict.getFirst(),
                verdict.getLast());
    }

    private static List<String> verdict(VariantResult.GreedyIds ids) {
        return List.of(
                "ids equal on %d of %d prompts".formatted(ids.equal(), ids.prompts()),
                ids.equal() == ids.prompts()
                        ? "every measured prompt"
                        : "see the differences below");
    }

    private static Markup tests(Results results) {
        var rows = new ArrayList<TestColumns.Labelled>();
        for (var entry : results.entries()) {
            entry.variant()
                    .exactness()
                    .evidence()
                    .ifPresent(
                            found -> rows.addAll(TestColumns.rows(found, List.of(entry.label()))));
        }
        return rows.isEmpty()
                ? Html.missing(
                        "No distribution was tested: no variant samples, or its evidence was switched off.")
                : Element.of("div")
                        .add(
                                Html.table(TestColumns.table(rows, "variant")),
                                Html.paragraph(thresholds(results)),
                                Html.folded(
                                        "What the tests and columns mean",
                                        Html.definitions(TestColumns.terms())));
    }

    /// Returns each sentence once, after the names of the cells that it is true for.
    private static String thresholds(Results results) {
        var titles = new LinkedHashMap<String, List<String>>();
        for (Results.Cell cell : results.cells()) {
            EvidenceTable.threshold(cell.report())
                    .ifPresent(each ->
                            titles.computeIfAbsent(each, _ -> new ArrayList<>()).add(cell.title()));
        }
        int cells = results.cells().size();
        if (titles.values().stream().anyMatch(each -> each.size() == cells)) {
            return (results.several() ? "Each comparison: " : "") + titles.firstEntry().getKey();
        }
        return titles.entrySet().stream()
                .map(each -> String.join("; ", each.getValue()) + ": " + each.getKey())
                .collect(Collectors.joining(" "));
    }

    private static List<Markup> findings(Results results) {
        var found = new ArrayList<String>();
        for (Results.Cell cell : results.cells()) {
            found.addAll(TextTable.findings(cell.report(), name -> results.label(cell, name)));
        }
        return found.isEmpty()
                ? List.of(
                        Html.paragraph(
                                "No prompt failed, and no greedy output differs from plain decoding."))
                : List.of(
                        Element.of("ul")
                                .add(
                                        found.stream()
                                                .map(each -> Element.of("li").text(each))
                                                .toList()));
    }
}
