package dev.outrider.experiment.results;

import dev.outrider.common.Columns;
import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Terms.Legend;
import dev.outrider.experiment.table.TestColumns;
import dev.outrider.experiment.table.Value;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.Evidence.DistributionTest;
import dev.outrider.experiment.verify.Evidence.Greedy;
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
        var rows = new ArrayList<Row>();
        for (Variant variant : variants) {
            Optional.ofNullable(evidence.get(variant.name()))
                    .ifPresent(found -> {
                        rows.addAll(
                                Row.of(
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

    /// A test of a variant. Only its first says which variant that is.
    private record Row(
            String variant,
            String drafter,
            String rule,
            String temperature,
            DistributionTest test) {
        static List<Row> of(
                String variant,
                String drafter,
                String rule,
                double temperature,
                Evidence evidence) {
            List<Row> rows = new ArrayList<>();
            for (DistributionTest test : TestColumns.telling(evidence)) {
                rows.add(
                        rows.isEmpty()
                                ? new Row(
                                        variant, drafter, rule, Value.decimal(temperature, 2), test)
                                : new Row("", "", "", "", test));
            }
            return rows;
        }
    }

    private static String table(List<Row> rows) {
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(Column.words("variant", "variant", Row::variant));
        columns.add(Column.words("drafter", "drafter", Row::drafter));
        columns.add(Column.words("rule", "rule", Row::rule));
        columns.add(Column.words("temperature", "T", Row::temperature));
        TestColumns.ALL.forEach(column -> columns.add(column.of(Row::test)));
        return Columns.aligned(Table.of(columns, rows).shown());
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

    private static String greedyClause(Greedy greedy) {
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
        var rows =
                report.variants().stream()
                        .flatMap(variant ->
                                variant.exactness().evidence().stream()
                                        .flatMap(found ->
                                                Row.of(
                                                        variant.name(),
                                                        variant.drafter(),
                                                        variant.rule(),
                                                        variant.temperature(),
                                                        found)
                                                        .stream()))
                        .toList();
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
