package dev.outrider.experiment.report;

import dev.outrider.experiment.run.Side;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.Evidence.Greedy;
import dev.outrider.experiment.verify.Evidence.LawTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Evidence as a person reads it.
public final class EvidenceTable {
    private static final String DEFINITIONS =
            """
            first tokens     joint law of the first tokens after one prompt, known exactly from the target, against as
                             many generations; the tokens span the border of rounds
            all by p         every token of long generations against the law at its own place: its quantile, tokens
                             taken in order of probability, must be uniform
            firsts by draft  the same for first tokens of rounds, in order of p / q of the drafter's law q
            pairs of firsts  quantiles of the first tokens of consecutive rounds, which must be independent
            p                chi-square: probability of such a result if the output follows the target's law
            w                effect (Cohen): root of sum (o - p)^2 / p, less what chance contributes [95 % interval]
            TV               total variation distance on the cells is at most this, with 97.5 % confidence
            found            smallest w that would have been found with 90 % / 99 % probability
            """;

    private EvidenceTable() {}

    /// The table of a verification.
    ///
    /// @param evidence by name of the variant
    /// @param sides    the variants, in order
    /// @param alpha    false-alarm rate of the whole run
    public static String of(Map<String, Evidence> evidence, List<Side> sides, double alpha) {
        var text = new StringBuilder();
        List<List<String>> rows = new ArrayList<>();
        rows.add(heading());
        for (Side side : sides) {
            Optional.ofNullable(evidence.get(side.name()))
                    .ifPresent(each -> addRows(rows, side, each));
        }
        if (rows.size() > 1) {
            text.append(Columns.aligned(rows)).append('\n');
        }
        for (Side side : sides) {
            Optional.ofNullable(evidence.get(side.name()))
                    .ifPresent(each -> text.append(conclusion(side, each)));
        }
        if (rows.size() > 1) {
            double level =
                    evidence.values().stream().mapToDouble(Evidence::level).min().orElse(alpha);
            text.append(
                    "\nA test rejects below p = %s, so that all of them together raise a false alarm with probability %s at most.\n"
                            .formatted(number("%.2g", level), number("%.2g", alpha)));
            text.append(DEFINITIONS);
        }
        return text.toString();
    }

    private static List<String> heading() {
        return List.of(
                "variant", "drafter", "rule", "T", "test", "n", "cells", "p", "w", "TV", "found",
                "");
    }

    private static void addRows(List<List<String>> rows, Side side, Evidence evidence) {
        boolean first = true;
        for (LawTest test : evidence.tests().stream().filter(each -> each.cells() > 1).toList()) {
            rows.add(
                    List.of(
                            first ? side.name() : "",
                            first ? side.drafter() : "",
                            first ? side.rule() : "",
                            first ? number("%.2f", side.policy().temperature()) : "",
                            test.name(),
                            Long.toString(test.samples()),
                            Integer.toString(test.cells()),
                            number("%.2g", test.pValue()),
                            String.format(
                                    Locale.ROOT,
                                    "%.3f [%.3f, %.3f]",
                                    test.effect(),
                                    test.effectLow(),
                                    test.effectHigh()),
                            number("%.3f", test.variationMost()),
                            String.format(
                                    Locale.ROOT, "%.3f / %.3f", test.found90(), test.found99()),
                            test.rejected() ? "REJECTED" : ""));
            first = false;
        }
    }

    private static String conclusion(Side side, Evidence evidence) {
        var text =
                new StringBuilder(
                        "%s (%s): %s; %s.%n"
                                .formatted(
                                        side.name(),
                                        Labels.of(side.losslessness()),
                                        words(evidence),
                                        evidence.reason())
                                .replace("\r\n", "\n"));
        if (!evidence.tests().isEmpty()) {
            text.append(
                    "  %.0f %% of the first-token samples were decided by two rounds or more.%s%s\n"
                            .formatted(
                                    100 * evidence.acrossRounds(),
                                    evidence.greedy().map(EvidenceTable::greedyClause).orElse(""),
                                    evidence.impossible() == 0
                                            ? ""
                                            : " %d tokens had probability 0 at their place."
                                                    .formatted(evidence.impossible())));
        }
        return text.toString();
    }

    private static String greedyClause(Greedy greedy) {
        return " Argmax ids: equal to plain decoding on %d of %d prompts."
                .formatted(greedy.equal(), greedy.prompts());
    }

    private static String words(Evidence evidence) {
        return evidence.tests().isEmpty()
                ? "equality with plain decoding " + evidence.verdict()
                : evidence.verdict().equals(Evidence.INCONCLUSIVE)
                        ? Evidence.INCONCLUSIVE
                        : "exactness in law " + evidence.verdict();
    }

    /// The part of a comparison's report: nothing if no law was tested.
    static String section(Report report) {
        var sides = report.sides().stream().map(side -> side.side()).toList();
        var rows = new ArrayList<List<String>>();
        rows.add(heading());
        for (Side side : sides) {
            Optional.ofNullable(report.evidence().get(side.name()))
                    .ifPresent(each -> addRows(rows, side, each));
        }
        return rows.size() == 1 ? "" : "\nevidence\n" + Columns.aligned(rows);
    }

    /// The cell of a comparison's table.
    static String cell(Report report, Side side) {
        if (side.policy().greedy()) {
            long different =
                    report.mismatches().stream()
                            .filter(mismatch -> mismatch.side().equals(side.name()))
                            .map(mismatch -> mismatch.prompt())
                            .distinct()
                            .count();
            return "ids equal %d/%d".formatted(report.prompts() - different, report.prompts());
        }
        return Optional.ofNullable(report.evidence().get(side.name()))
                .map(each ->
                        "%s, p %s, n %d"
                                .formatted(
                                        each.verdict(),
                                        number("%.2g", each.smallestP()),
                                        each.observations()))
                .orElse("not tested");
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
