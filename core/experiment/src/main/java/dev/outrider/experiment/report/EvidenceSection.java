package dev.outrider.experiment.report;

import dev.outrider.experiment.report.chart.Element;
import dev.outrider.experiment.report.chart.Markup;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.stats.VariantResult.GreedyIds;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.TestColumns;
import dev.outrider.experiment.verify.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Exactness of the output: greedy ids, tests of the distribution, and prompts that were left out.
final class EvidenceSection {
    private EvidenceSection() {}

    static Element of(Results results) {
        var content = new ArrayList<Markup>();
        content.add(
                Html.paragraph(
                        "Greedy output is compared with plain decoding id by id. The distribution of sampled output is put to chi-square"
                                + " tests on samples of its own; a small p speaks against exactness, and w is the size of the difference"
                                + " (Cohen) with its 95 % interval."));
        var rows = new ArrayList<List<String>>();
        for (Cell cell : results.cells()) {
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

    private static List<String> row(Results results, Cell cell, VariantResult variant) {
        String verdict;
        String why;
        if (variant.exactness().evidence().isPresent()) {
            verdict = variant.exactness().evidence().get().verdict();
            why = variant.exactness().evidence().get().reason();
        } else if (variant.exactness().greedyIds().isPresent()) {
            GreedyIds ids = variant.exactness().greedyIds().get();
            verdict = "ids equal on %d of %d prompts".formatted(ids.equal(), ids.prompts());
            why =
                    ids.equal() == ids.prompts()
                            ? "every measured prompt"
                            : "see the differences below";
        } else {
            verdict = "not tested";
            why = "exactnessTestSeconds was 0, or the run was interrupted";
        }
        return List.of(
                results.label(cell, variant.name()),
                variant.rule(),
                number("%.2f", variant.temperature()),
                variant.exactness().losslessness(),
                verdict,
                why);
    }

    private static Markup tests(Results results) {
        var rows =
                results.entries().stream()
                        .flatMap(entry ->
                                entry.variant().exactness().evidence().stream()
                                        .flatMap(found -> TestColumns.telling(found).stream())
                                        .map(test -> new TestOf(entry.label(), test)))
                        .toList();
        var columns = new ArrayList<Column<TestOf>>();
        columns.add(
                Column.words("variant", "variant", "name in the configuration", TestOf::variant));
        TestColumns.ALL.forEach(column -> columns.add(column.of(TestOf::test)));
        return rows.isEmpty()
                ? Html.missing(
                        "No distribution was tested: no variant samples, or its evidence was switched off.")
                : Element.of("div")
                        .add(
                                Html.table(Table.of(columns, rows).shown()),
                                Html.folded(
                                        "What the tests and columns mean",
                                        Html.definitions(TestColumns.terms())));
    }

    private record TestOf(String variant, Evidence.DistributionTest test) {}

    private static List<Markup> findings(Results results) {
        var found = new ArrayList<Markup>();
        for (Cell cell : results.cells()) {
            cell.report()
                    .mismatches()
                    .forEach(mismatch ->
                            found.add(
                                    Element.of("li")
                                            .text(
                                                    "%s differs from plain decoding on prompt %s at output token %d: id %d instead of %d; %s %s apart%s."
                                                            .formatted(
                                                                    results.label(
                                                                            cell,
                                                                            mismatch.variant()),
                                                                    mismatch.prompt(),
                                                                    mismatch.position(),
                                                                    mismatch.actual(),
                                                                    mismatch.expected(),
                                                                    mismatch.searched()
                                                                            ? "their scores are"
                                                                            : "the target's two largest logits are",
                                                                    number("%.3g", mismatch.gap()),
                                                                    mismatch.searched()
                                                                            ? ""
                                                                            : " there"))));
            cell.report()
                    .failures()
                    .forEach(failure ->
                            found.add(
                                    Element.of("li")
                                            .text(
                                                    "Prompt %s is left out of every variant, because %s failed: %s"
                                                            .formatted(
                                                                    failure.prompt(),
                                                                    results.label(
                                                                            cell,
                                                                            failure.variant()),
                                                                    failure.reason()))));
        }
        return found.isEmpty()
                ? List.of(
                        Html.paragraph(
                                "No prompt failed, and no greedy output differs from plain decoding."))
                : List.of(Element.of("ul").add(found));
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
