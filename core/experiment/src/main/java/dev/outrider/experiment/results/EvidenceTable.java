package dev.outrider.experiment.results;

import dev.outrider.common.Columns;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.Terms.Legend;
import dev.outrider.experiment.table.TestColumns;
import dev.outrider.experiment.table.Value;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.Verification.Verified;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The evidence as a text for people.
public final class EvidenceTable {
    private EvidenceTable() {}

    /// The table of a verification.
    public static String of(List<Verified> variants) {
        var text = new StringBuilder();
        variants.forEach(variant -> text.append(conclusion(variant)));
        var rows = variants.stream().flatMap(EvidenceTable::rows).toList();
        if (rows.isEmpty()) {
            return text.toString();
        }
        return "%s\n%s\n%s\n%s"
                .formatted(
                        table(rows),
                        text,
                        threshold(variants.stream().map(Verified::evidence).toList()).orElse(""),
                        Legend.of(TestColumns.terms()));
    }

    /// Returns the tests of a variant; only the first row has the variant's name.
    private static Stream<TestColumns.Labelled> rows(Verified variant) {
        var labels =
                List.of(
                        variant.variant(),
                        variant.drafter(),
                        variant.rule(),
                        Value.decimal(variant.temperature(), 2));
        var rows = TestColumns.rows(variant.evidence(), List.of("", "", "", ""));
        return Stream.concat(
                rows.stream().limit(1).map(first -> new TestColumns.Labelled(labels, first.test())),
                rows.stream().skip(1));
    }

    private static String table(List<TestColumns.Labelled> rows) {
        return Columns.aligned(TestColumns.table(rows, "variant", "drafter", "rule", "T"));
    }

    private static String conclusion(Verified variant) {
        var evidence = variant.evidence();
        String conclusion =
                "%s (%s): %s; %s.\n"
                        .formatted(
                                variant.variant(),
                                variant.losslessness(),
                                words(evidence),
                                evidence.reason());
        return evidence.tests().isEmpty()
                ? conclusion
                : "%s  %s %% of the first-token samples were decided by two rounds or more.%s%s\n"
                        .formatted(
                                conclusion,
                                Value.decimal(100 * evidence.acrossRounds(), 0),
                                evidence.greedy().map(EvidenceTable::greedyClause).orElse(""),
                                evidence.impossible() == 0
                                        ? ""
                                        : " %d tokens had probability 0 at their place."
                                                .formatted(evidence.impossible()));
    }

    private static String greedyClause(Evidence.Greedy greedy) {
        return " Argmax ids: equal to plain decoding on %d of %d prompts."
                .formatted(greedy.equal(), greedy.prompts());
    }

    private static String words(Evidence evidence) {
        return evidence.tests().isEmpty()
                ? "equality with plain decoding " + evidence.verdict()
                : evidence.verdict().equals(Evidence.INCONCLUSIVE)
                        ? Evidence.INCONCLUSIVE
                        : "exactness in distribution " + evidence.verdict();
    }

    /// Returns the section of a comparison's report; empty if no distribution was tested.
    static String section(Report report) {
        var rows =
                report.variants().stream()
                        .flatMap(variant ->
                                variant.exactness().evidence().stream()
                                        .flatMap(found -> rows(verified(variant, found))))
                        .toList();
        return rows.isEmpty()
                ? ""
                : "\nevidence\n%s%s\n%s"
                        .formatted(
                                table(rows),
                                threshold(report).orElse(""),
                                Legend.of(TestColumns.terms()));
    }

    /// Returns the p below which the tests of a comparison reject, if there are any.
    public static Optional<String> threshold(Report report) {
        return threshold(
                report.variants().stream()
                        .flatMap(each -> each.exactness().evidence().stream())
                        .toList());
    }

    private static Optional<String> threshold(List<Evidence> found) {
        long tests = found.stream().mapToLong(each -> each.tests().size()).sum();
        return found.stream()
                .map(Evidence::level)
                .min(Double::compare)
                .filter(_ -> tests > 0)
                .map(level ->
                        "An exactness test rejects below p = %s, so that the %d tests of the run together raise a false alarm with probability %s at most."
                                .formatted(
                                        Value.significant(level, 2),
                                        tests,
                                        Value.significant(level * tests, 2)));
    }

    private static Verified verified(VariantResult variant, Evidence evidence) {
        return new Verified(
                variant.name(),
                variant.drafter(),
                variant.rule(),
                variant.temperature(),
                variant.sampling(),
                variant.exactness().losslessness(),
                evidence);
    }
}
