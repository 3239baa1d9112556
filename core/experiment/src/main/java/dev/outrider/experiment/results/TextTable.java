package dev.outrider.experiment.results;

import dev.outrider.common.Columns;
import dev.outrider.experiment.run.ComparisonResult.FailedPrompt;
import dev.outrider.experiment.run.ComparisonResult.Mismatch;
import dev.outrider.experiment.stats.CostPoint;
import dev.outrider.experiment.stats.Diagnosis;
import dev.outrider.experiment.stats.DrafterContribution;
import dev.outrider.experiment.stats.LearningCurve;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.stats.VariantResult.OfKind;
import dev.outrider.experiment.table.RankingTables;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Terms;
import dev.outrider.experiment.table.Terms.Legend;
import dev.outrider.experiment.table.VariantColumns;
import dev.outrider.experiment.table.VariantColumns.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
        text.append(rankings(report));
        text.append(Contributions.of(report));
        text.append(LearningCurves.of(report));
        text.append(CostTable.of(report));
        text.append(DiagnosisTable.of(report));
        text.append(EvidenceTable.section(report));
        text.append('\n').append(notes(report));
        text.append('\n').append(Legend.of(Terms.ofRun()));
        return text.toString();
    }

    private static String rows(Report report) {
        return Columns.aligned(Table.of(VariantColumns.at(Place.TABLE), report.variants()).shown());
    }

    private static String rankings(Report report) {
        return RankingTables.of(report.variants()).stream()
                .map(tables ->
                        "\nwhich is fastest, on the same prompts\n%s%s%s\n"
                                .formatted(
                                        Columns.aligned(tables.rankings().shown()),
                                        tables.pairs().rows().size() < 3
                                                ? ""
                                                : "\n" + Columns.aligned(tables.pairs().shown()),
                                        tables.conclusion()))
                .collect(Collectors.joining());
    }

    private static String positions(Report report) {
        List<List<String>> rows =
                report.variants().stream()
                        .filter(variant -> !variant.acceptanceByPosition().isEmpty())
                        .map(TextTable::positions)
                        .toList();
        return rows.isEmpty() ? "" : "\nper position\n" + Columns.aligned(rows);
    }

    private static List<String> positions(VariantResult variant) {
        List<String> row = new ArrayList<>();
        row.add(variant.name());
        for (int i = 0; i < variant.acceptanceByPosition().size(); i++) {
            row.add(
                    String.format(
                            Locale.ROOT,
                            "%.3f (%.3f)",
                            variant.acceptanceByPosition().get(i),
                            variant.conditionalAcceptanceByPosition().get(i)));
        }
        return row;
    }

    private static String beams(Report report) {
        var searches =
                report.variants().stream().filter(variant -> variant.beams().isPresent()).toList();
        return searches.isEmpty()
                ? ""
                : "\nbeam search, against plain search of the same settings\n"
                        + Columns.aligned(
                                Table.of(VariantColumns.at(Place.BEAMS), searches).shown());
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
            for (OfKind kind : report.kinds()) {
                row.add(ofKind(kind.variants().get(i)));
            }
            rows.add(row);
        }
        return "\nby kind (prompts)\n" + Columns.aligned(rows);
    }

    private static String ofKind(VariantResult variant) {
        return VariantColumns.at(Place.KINDS).stream()
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
        report.interimAnalysis()
                .ifPresent(interimAnalysis -> text.append(interimAnalysis.shown()).append('\n'));
        for (VariantResult variant : report.variants()) {
            long failed = variant.counts().failures();
            if (failed > 0) {
                text.append(
                        "'%s': drafter or rule failed %d times; those generations went on without drafts.%n"
                                .formatted(variant.name(), failed));
            }
        }
        for (FailedPrompt failure : report.failures()) {
            text.append(
                    "left out of every variant: prompt '%s', because '%s' failed: %s\n"
                            .formatted(
                                    failure.prompt(),
                                    failure.variant(),
                                    failure.reason().replaceAll("\\s*\\R\\s*", " ")));
        }
        for (Mismatch mismatch : report.mismatches()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "'%s' differs from plain decoding on prompt '%s' at output token %d: %d instead of %d; %s %.3g\n",
                            mismatch.variant(),
                            mismatch.prompt(),
                            mismatch.position(),
                            mismatch.actual(),
                            mismatch.expected(),
                            mismatch.searched() ? "scores differ by" : "top-2 logit gap there",
                            mismatch.gap()));
        }
        return text.toString();
    }

    /// The target's cost curve as a person reads it.
    static final class CostTable {
        private static final double NANOS_PER_MILLI = 1e6;
        private static final int MAX_COLUMNS = 16;

        private CostTable() {}

        /// A few lines, or nothing where every pass had the same number of rows.
        static String of(Report report) {
            List<CostPoint> curve = report.costCurve();
            if (curve.size() < 2) {
                return "";
            }
            List<String> rows = new ArrayList<>(List.of("rows"));
            List<String> ratios = new ArrayList<>(List.of("t(n)/t(1)"));
            List<String> millis = new ArrayList<>(List.of("ms"));
            List<String> experts = new ArrayList<>(List.of("experts"));
            for (CostPoint point : curve.subList(0, Math.min(MAX_COLUMNS, curve.size()))) {
                rows.add(Integer.toString(point.rows()));
                ratios.add(String.format(Locale.ROOT, "%.2f", point.ratio()));
                millis.add(String.format(Locale.ROOT, "%.2f", point.meanNanos() / NANOS_PER_MILLI));
                point.experts()
                        .ifPresent(count -> experts.add(String.format(Locale.ROOT, "%.2f", count)));
            }
            List<List<String>> lines = new ArrayList<>(List.of(rows, millis, ratios));
            if (experts.size() == rows.size()) {
                lines.add(experts);
            }
            return "\ncost of the target's pass\n" + Columns.aligned(lines);
        }
    }

    /// The learning curves of variants, if one of them learns.
    public static final class LearningCurves {
        private LearningCurves() {}

        /// The table as a person reads it; nothing where no drafter learns.
        static String of(Report report) {
            var rows = rows(report.variants());
            return rows.isEmpty()
                    ? ""
                    : "\nover the course of the run, prompts in thirds\n" + Columns.aligned(rows);
        }

        /// A heading and a line for each variant; nothing where no drafter learns.
        public static List<List<String>> rows(List<VariantResult> variants) {
            List<List<String>> rows = new ArrayList<>();
            for (VariantResult variant : variants) {
                variant.learningCurve().ifPresent(course -> rows.add(row(variant.name(), course)));
            }
            if (!rows.isEmpty()) {
                rows.addFirst(
                        List.of(
                                "variant",
                                "tokens/round 1st",
                                "2nd",
                                "last",
                                "a 1st",
                                "2nd",
                                "last",
                                "learning"));
            }
            return rows;
        }

        private static List<String> row(String variant, LearningCurve course) {
            var row = new ArrayList<String>();
            row.add(variant);
            course.tokensPerRound().forEach(each -> row.add(decimal("%.3f", each)));
            course.alpha().forEach(each -> row.add(decimal("%.3f", each)));
            row.add(course.learns() ? decimal("%.1f%%", 100 * course.learnShare()) : "-");
            return row;
        }

        private static String decimal(String format, double number) {
            return String.format(Locale.ROOT, format, number);
        }
    }

    /// Why measured speedups are not the formula's, as a person reads it.
    static final class DiagnosisTable {
        private DiagnosisTable() {}

        /// A line for each variant and a column for each reason; nothing where nothing was measured.
        static String of(Report report) {
            List<List<String>> rows = new ArrayList<>();
            for (VariantResult variant : report.variants()) {
                Optional<Diagnosis> diagnosis = variant.diagnosis();
                if (diagnosis.isPresent()) {
                    if (rows.isEmpty()) {
                        rows.add(heading(diagnosis.get()));
                    }
                    rows.add(row(variant.name(), diagnosis.get()));
                }
            }
            return rows.isEmpty() ? "" : "\ndiagnose\n" + Columns.aligned(rows);
        }

        private static List<String> heading(Diagnosis diagnosis) {
            List<String> heading = new ArrayList<>(List.of("variant", "formula"));
            diagnosis.reasons().forEach(reason -> heading.add(reason.name()));
            heading.addAll(List.of("speedup", "most of all", "best K"));
            return heading;
        }

        private static List<String> row(String variant, Diagnosis diagnosis) {
            List<String> row = new ArrayList<>(List.of(variant));
            row.add(number(diagnosis.formulaSpeedup()));
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

    /// The contribution of each drafter of a variant with several drafters.
    public static final class Contributions {
        private Contributions() {}

        /// The table as a person reads it; nothing where every drafter drafts alone.
        static String of(Report report) {
            var rows = rows(report.variants());
            return rows.isEmpty()
                    ? ""
                    : "\ncontribution of each drafter, per round\n" + Columns.aligned(rows);
        }

        /// A heading and a line for each drafter of each such variant; nothing where every drafter drafts alone.
        public static List<List<String>> rows(List<VariantResult> variants) {
            List<List<String>> rows = new ArrayList<>();
            for (VariantResult variant : variants) {
                variant.contributions().forEach(each -> rows.add(row(variant, each)));
            }
            if (!rows.isEmpty()) {
                rows.addFirst(
                        List.of(
                                "variant",
                                "drafter",
                                "rounds",
                                "nodes",
                                "accepted",
                                "alone",
                                "a node"));
            }
            return rows;
        }

        private static List<String> row(VariantResult variant, DrafterContribution each) {
            long rounds = Math.max(1, variant.counts().rounds());
            return List.of(
                    variant.name(),
                    each.drafter(),
                    String.format(Locale.ROOT, "%.0f%%", 100.0 * each.proposals() / rounds),
                    perRound(each.nodes(), rounds),
                    perRound(each.accepted(), rounds),
                    perRound(each.alone(), rounds),
                    perRound(each.accepted(), Math.max(1, each.nodes())));
        }

        private static String perRound(long count, long rounds) {
            return String.format(Locale.ROOT, "%.2f", (double) count / rounds);
        }
    }
}
