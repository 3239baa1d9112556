package dev.outrider.experiment.report.page;

import dev.outrider.experiment.report.SideDetails;
import dev.outrider.experiment.report.markup.Element;
import dev.outrider.experiment.report.markup.Markup;
import dev.outrider.experiment.report.read.Cell;
import dev.outrider.experiment.report.read.Results;
import dev.outrider.experiment.verify.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What the output itself says about exactness: greedy ids, tests of the law, what was left out.
final class EvidenceSection {
    private EvidenceSection() {}

    static Element of(Results results) {
        var content = new ArrayList<Markup>();
        content.add(
                Html.paragraph(
                        "Greedy output is compared with plain decoding id by id. The law of sampled output is put to chi-square"
                                + " tests on samples of its own; a small p speaks against exactness, and w is the size of the difference"
                                + " (Cohen) with its 95 % interval."));
        var rows = new ArrayList<List<String>>();
        for (Cell cell : results.cells()) {
            cell.variants().forEach(side -> rows.add(row(results, cell, side)));
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

    private static List<String> row(Results results, Cell cell, SideDetails side) {
        String verdict;
        String why;
        if (side.evidence().isPresent()) {
            verdict = side.evidence().get().verdict();
            why = side.evidence().get().reason();
        } else if (side.temperature() == 0) {
            long different =
                    cell.details().mismatches().stream()
                            .filter(mismatch -> mismatch.side().equals(side.name()))
                            .map(mismatch -> mismatch.prompt())
                            .distinct()
                            .count();
            verdict =
                    "ids equal on %d of %d prompts"
                            .formatted(
                                    cell.details().prompts() - different, cell.details().prompts());
            why = different == 0 ? "every measured prompt" : "see the differences below";
        } else {
            verdict = "not tested";
            why = "evidenceSeconds was 0, or the run was interrupted";
        }
        return List.of(
                results.label(cell, side.name()),
                side.rule(),
                number("%.2f", side.temperature()),
                side.losslessness(),
                verdict,
                why);
    }

    private static Markup tests(Results results) {
        var rows = new ArrayList<List<String>>();
        rows.add(
                List.of(
                        "variant",
                        "test",
                        "n",
                        "cells",
                        "p",
                        "w",
                        "at most TV",
                        "w found with 90 % / 99 %"));
        for (Results.Variant variant : results.variants()) {
            variant.side()
                    .evidence()
                    .ifPresent(evidence ->
                            evidence.tests().stream()
                                    .filter(test -> test.cells() > 1)
                                    .forEach(test -> rows.add(row(variant.label(), test))));
        }
        return rows.size() == 1
                ? Html.missing(
                        "No law was tested: no variant samples, or its evidence was switched off.")
                : Html.table(rows);
    }

    private static List<String> row(String label, Evidence.LawTest test) {
        return List.of(
                label,
                test.name() + (test.rejected() ? " REJECTED" : ""),
                Long.toString(test.samples()),
                Integer.toString(test.cells()),
                number("%.2g", test.pValue()),
                "%s [%s, %s]"
                        .formatted(
                                number("%.3f", test.effect()),
                                number("%.3f", test.effectLow()),
                                number("%.3f", test.effectHigh())),
                number("%.3f", test.variationMost()),
                number("%.3f", test.found90()) + " / " + number("%.3f", test.found99()));
    }

    private static List<Markup> findings(Results results) {
        var found = new ArrayList<Markup>();
        for (Cell cell : results.cells()) {
            cell.details()
                    .mismatches()
                    .forEach(mismatch ->
                            found.add(
                                    Element.of("li")
                                            .text(
                                                    "%s differs from plain decoding on prompt %s at output token %d: id %d instead of %d; the"
                                                                    .formatted(
                                                                            results.label(
                                                                                    cell,
                                                                                    mismatch
                                                                                            .side()),
                                                                            mismatch.prompt(),
                                                                            mismatch.position(),
                                                                            mismatch.variant(),
                                                                            mismatch.plain())
                                                            + " target's two largest logits are "
                                                            + number("%.3g", mismatch.gap())
                                                            + " apart there.")));
            cell.details()
                    .failures()
                    .forEach(failure ->
                            found.add(
                                    Element.of("li")
                                            .text(
                                                    "Prompt %s is left out of every side, because %s failed: %s"
                                                            .formatted(
                                                                    failure.prompt(),
                                                                    results.label(
                                                                            cell, failure.side()),
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
