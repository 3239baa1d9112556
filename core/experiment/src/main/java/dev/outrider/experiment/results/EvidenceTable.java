package dev.outrider.experiment.results;

import dev.outrider.common.Columns;
import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.table.Terms.Legend;
import dev.outrider.experiment.table.TestColumns;
import dev.outrider.experiment.table.TestColumns.Labelled;
import dev.outrider.experiment.table.Value;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.VerificationSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// Evidence as a person reads it.
public final class EvidenceTable {
    private EvidenceTable() {}

    /// The table of a verification.
    ///
    /// @param evidence by name of the variant
    /// @param variants the variants, in order
    /// @param alpha    false-alarm rate of the whole run
    public static String of(Map<String, Evidence> evidence, List<Variant> variants, double alpha) {
        var text = new StringBuilder();
        var rows = new ArrayList<Labelled>();
        for (Variant variant : variants) {
            Optional.ofNullable(evidence.get(variant.name()))
                    .ifPresent(found -> {
                        rows.addAll(
                                rows(
                                        variant.name(),
                                        variant.drafter(),
                                        variant.rule(),
                                        variant.policy().temperature(),
                                        found));
                        text.append(conclusion(variant, found));
                    });
        }
        if (rows.isEmpty()) {
            return text.toString();
        }
        double level = evidence.values().stream().mapToDouble(Evidence::level).min().orElse(alpha);
        return "%s\n%s\nA test rejects below p = %s, so that all of them together raise a false alarm with probability %s at most.\n%s"
                .formatted(
                        table(rows),
                        text,
                        Value.significant(level, 2),
                        Value.significant(alpha, 2),
                        Legend.of(TestColumns.terms()));
    }

    /// The tests of a variant; only the first row says which variant that is.
    private static List<Labelled> rows(
            String variant, String drafter, String rule, double temperature, Evidence evidence) {
        var labels = List.of(variant, drafter, rule, Value.decimal(temperature, 2));
        var rows = new ArrayList<>(TestColumns.rows(evidence, List.of("", "", "", "")));
        if (!rows.isEmpty()) {
            rows.set(0, new Labelled(labels, rows.getFirst().test()));
        }
        return rows;
    }

    private static String table(List<Labelled> rows) {
        return Columns.aligned(TestColumns.table(rows, "variant", "drafter", "rule", "T"));
    }

    private static String conclusion(Variant variant, Evidence evidence) {
        String conclusion =
                "%s (%s): %s; %s.\n"
                        .formatted(
                                variant.name(),
                                variant.exactness(),
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

    /// The part of a comparison's report: nothing if no distribution was tested.
    static String section(Report report) {
        var rows = new ArrayList<Labelled>();
        for (var variant : report.variants()) {
            variant.exactness()
                    .evidence()
                    .ifPresent(found ->
                            rows.addAll(
                                    rows(
                                            variant.name(),
                                            variant.drafter(),
                                            variant.rule(),
                                            variant.temperature(),
                                            found)));
        }
        return rows.isEmpty() ? "" : "\nevidence\n" + table(rows);
    }

    /// A verification as JSON, with where its numbers come from.
    public static final class EvidenceJson {
        private EvidenceJson() {}

        /// The content of the JSON file.
        record Document(
                boolean rejected,
                List<OfVariant> variants,
                VerificationSettings settings,
                String configHash,
                SortedMap<String, String> models,
                String outrider) {}

        record OfVariant(
                String variant,
                String drafter,
                String rule,
                double temperature,
                String losslessness,
                Evidence evidence) {}

        /// @param variants    variants in order
        /// @param evidence by name of the variant
        /// @param models   digest of each model by role and name
        /// @param version  of Outrider
        public static String of(
                List<Variant> variants,
                Map<String, Evidence> evidence,
                VerificationSettings settings,
                String configHash,
                SortedMap<String, String> models,
                String version) {
            var tested = new ArrayList<OfVariant>();
            for (Variant variant : variants) {
                Optional.ofNullable(evidence.get(variant.name()))
                        .ifPresent(found ->
                                tested.add(
                                        new OfVariant(
                                                variant.name(),
                                                variant.drafter(),
                                                variant.rule(),
                                                variant.policy().temperature(),
                                                variant.exactness(),
                                                found)));
            }
            boolean rejected = evidence.values().stream().anyMatch(Evidence::rejected);
            return Json.pretty(
                    new Document(rejected, tested, settings, configHash, models, version));
        }
    }
}
