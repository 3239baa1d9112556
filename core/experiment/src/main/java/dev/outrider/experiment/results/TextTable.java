package dev.outrider.experiment.results;

import dev.outrider.common.Columns;
import dev.outrider.experiment.run.ComparisonResult.FailedPrompt;
import dev.outrider.experiment.run.ComparisonResult.Mismatch;
import dev.outrider.experiment.run.DrafterContribution;
import dev.outrider.experiment.stats.CostPoint;
import dev.outrider.experiment.stats.Diagnosis;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.Place;
import dev.outrider.experiment.table.RankingTables;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Terms;
import dev.outrider.experiment.table.Value;
import dev.outrider.experiment.table.VariantColumns;
import dev.outrider.experiment.verify.Evidence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// All results of a comparison as text, with the definition of every number under it. [BriefTable] is the last output of a run.
public final class TextTable {
    private static final int MAX_COST_COLUMNS = 16;

    private TextTable() {}

    /// Returns a report as text.
    public static String of(Report report) {
        var text = new StringBuilder();
        if (!report.question().isEmpty()) {
            text.append(report.question().strip()).append("\n\n");
        }
        report.shaped().ifPresent(each -> text.append(each).append("\n\n"));
        var variants = report.rows();
        text.append(columns(Place.TABLE, variants));
        text.append(section("per position", positions(variants)));
        var searches = variants.stream().filter(each -> each.beams().isPresent()).toList();
        if (!searches.isEmpty()) {
            text.append("\nbeam search, against plain search of the same settings\n")
                    .append(columns(Place.BEAMS, searches));
        }
        text.append(section("by kind (prompts): speedup, tokens/round", kinds(report.kinds())));
        text.append(rankings(report));
        text.append(section("contribution of each drafter, per round", contributions(variants)));
        text.append(section("cost of the target's pass", costs(report.costCurve())));
        text.append(section("diagnose", diagnosis(diagnoses(variants))));
        text.append(EvidenceTable.section(report));
        text.append('\n').append(notes(report));
        text.append('\n').append(Terms.Legend.of(Terms.ofRun()));
        return text.toString();
    }

    private static String columns(Place place, List<VariantResult> variants) {
        return Columns.aligned(Table.of(VariantColumns.at(place), variants).shown());
    }

    /// Returns a table under its title; empty without rows.
    private static String section(String title, List<List<String>> rows) {
        return rows.isEmpty() ? "" : "\n%s\n%s".formatted(title, Columns.aligned(rows));
    }

    private static String rankings(Report report) {
        return RankingTables.of(report.variants()).stream()
                .map(tables ->
                        "\nwhich is fastest, on the same prompts\n%s%s\n"
                                .formatted(
                                        tables.known() ? rankings(tables) : "",
                                        tables.conclusion()))
                .collect(Collectors.joining());
    }

    private static String rankings(RankingTables tables) {
        return "%s%s%s\n"
                .formatted(
                        Columns.aligned(tables.rankings().shown()),
                        tables.pairs().rows().size() < 3
                                ? ""
                                : "\n" + Columns.aligned(tables.pairs().shown()),
                        RankingTables.INTERVALS);
    }

    private static List<List<String>> positions(List<VariantResult> variants) {
        var rows = new ArrayList<List<String>>();
        for (VariantResult variant : variants) {
            var shares = variant.acceptanceByPosition();
            var reached = variant.conditionalAcceptanceByPosition();
            if (!shares.isEmpty()) {
                var row = new ArrayList<>(List.of(variant.name()));
                IntStream.range(0, shares.size())
                        .mapToObj(i ->
                                decimal(shares.get(i), 3) + " (" + decimal(reached.get(i), 3) + ")")
                        .forEach(row::add);
                rows.add(row);
            }
        }
        return rows;
    }

    private static List<List<String>> kinds(List<VariantResult.OfKind> kinds) {
        var rows = new ArrayList<List<String>>();
        if (!kinds.isEmpty()) {
            var head = new ArrayList<>(List.of("variant"));
            kinds.forEach(kind -> head.add("%s (%d)".formatted(kind.kind(), kind.prompts())));
            rows.add(head);
            for (int i = 0; i < kinds.getFirst().variants().size(); i++) {
                var row = new ArrayList<>(List.of(kinds.getFirst().variants().get(i).name()));
                for (VariantResult.OfKind kind : kinds) {
                    var variant = kind.variants().get(i);
                    row.add(
                            VariantColumns.at(Place.KINDS).stream()
                                    .map(column -> column.value().apply(variant).shown())
                                    .collect(Collectors.joining(", ")));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private static String notes(Report report) {
        var lines = new ArrayList<String>();
        lines.add(coverage(report) + ".");
        report.interimAnalysis().ifPresent(each -> lines.add(each.shown()));
        lines.addAll(warnings(report));
        return String.join("\n", lines) + "\n";
    }

    /// Returns the measured part of the experiment.
    public static String coverage(Report report) {
        var coverage = report.coverage();
        return "%d of %d prompts, %d %s%s%s%s%s"
                .formatted(
                        coverage.prompts(),
                        coverage.plannedPrompts(),
                        coverage.repetitions(),
                        coverage.repetitions() == 1 ? "repetition" : "repetitions",
                        coverage.batch() == 1
                                ? ""
                                : ", %d decoded together".formatted(coverage.batch()),
                        coverage.readMillis()
                                .map(each ->
                                        ", %s read once in %s ms (median), a part of every time"
                                                .formatted(
                                                        readOnce(coverage), Value.decimal(each, 0)))
                                .orElse(""),
                        coverage.interrupted()
                                ? ", interrupted after %d generations: what was measured until then"
                                        .formatted(generations(report))
                                : "",
                        commonSampling(report).map(", sampling with %s"::formatted).orElse(""));
    }

    /// Returns the sampling of all variants, if it is the same.
    private static Optional<String> commonSampling(Report report) {
        var ways = report.variants().stream().map(VariantResult::sampling).distinct().toList();
        return ways.size() == 1
                        && report.variants().stream().allMatch(each -> each.temperature() > 0)
                ? ways.getFirst()
                : Optional.empty();
    }

    private static String readOnce(Report.Coverage coverage) {
        int all = coverage.prompts();
        int once = coverage.readOnce().orElse(all);
        return once == all ? "each" : "%d of %d prompts".formatted(once, all);
    }

    private static long generations(Report report) {
        return report.variants().stream().mapToLong(each -> each.speed().generations()).sum();
    }

    /// Returns the problems, the worst first: output that is not the target's or may not be, prompts left out, drafters that
    /// failed.
    static List<String> warnings(Report report) {
        var lines = new ArrayList<String>();
        for (VariantResult variant : report.variants()) {
            variant.exactness()
                    .evidence()
                    .filter(found -> !found.verdict().equals(Evidence.NOT_REJECTED))
                    .map(found ->
                            "'%s': exactness %s: %s"
                                    .formatted(variant.name(), found.verdict(), found.reason()))
                    .ifPresent(lines::add);
        }
        lines.addAll(findings(report, name -> name));
        for (VariantResult variant : report.variants()) {
            long failed = variant.counts().failures();
            if (failed > 0) {
                lines.add(
                        "'%s': drafter or rule failed %d times; those generations went on without drafts."
                                .formatted(variant.name(), failed));
            }
        }
        return lines;
    }

    /// Returns greedy outputs that differ from plain decoding, and prompts that were left out.
    ///
    /// @param label names a variant
    public static List<String> findings(Report report, UnaryOperator<String> label) {
        var lines = new ArrayList<String>();
        for (Mismatch mismatch : report.mismatches()) {
            lines.add(
                    "'%s' differs from plain decoding on prompt '%s' at output token %d: %d instead of %d; %s %s"
                            .formatted(
                                    label.apply(mismatch.variant()),
                                    mismatch.prompt(),
                                    mismatch.position(),
                                    mismatch.actual(),
                                    mismatch.expected(),
                                    mismatch.searched()
                                            ? "scores differ by"
                                            : "top-2 logit gap there",
                                    Value.significant(mismatch.gap(), 3)));
        }
        for (FailedPrompt failure : report.failures()) {
            lines.add(
                    "left out of every variant: prompt '%s', because '%s' failed: %s"
                            .formatted(
                                    failure.prompt(),
                                    label.apply(failure.variant()),
                                    failure.reason().replaceAll("\\s*\\R\\s*", " ")));
        }
        return lines;
    }

    /// Returns the target's cost curve; empty if every pass had the same number of rows.
    private static List<List<String>> costs(List<CostPoint> curve) {
        if (curve.size() < 2) {
            return List.of();
        }
        var rows = new ArrayList<>(List.of("rows"));
        var millis = new ArrayList<>(List.of("ms"));
        var intervals = new ArrayList<>(List.of("95 % of ms"));
        var ratios = new ArrayList<>(List.of("t(n)/t(1)"));
        var passes = new ArrayList<>(List.of("passes"));
        var experts = new ArrayList<>(List.of("experts"));
        for (CostPoint point : curve.subList(0, Math.min(MAX_COST_COLUMNS, curve.size()))) {
            rows.add(Integer.toString(point.rows()));
            millis.add(decimal(point.meanNanos() / 1e6, 2));
            intervals.add(
                    point.interval()
                            .map(each -> each.bounds(nanos -> decimal(nanos / 1e6, 2)))
                            .orElse("-"));
            ratios.add(decimal(point.ratio(), 2));
            passes.add(point.passes() + (point.few() ? " (few)" : ""));
            point.experts().ifPresent(count -> experts.add(decimal(count, 2)));
        }
        var lines = new ArrayList<List<String>>(List.of(rows, millis, intervals, ratios, passes));
        if (experts.size() == rows.size()) {
            lines.add(experts);
        }
        return lines;
    }

    /// Returns the reasons why measured speedups differ from the formula's: a line for each variant and a column for each reason, a
    /// heading first; empty if nothing was measured.
    ///
    /// @param diagnoses by the names of the variants
    public static List<List<String>> diagnosis(Map<String, Diagnosis> diagnoses) {
        var rows = new ArrayList<List<String>>();
        diagnoses.forEach((variant, diagnosis) -> {
            if (rows.isEmpty()) {
                var heading = new ArrayList<>(List.of("variant", "formula"));
                diagnosis.reasons().forEach(reason -> heading.add(reason.name()));
                heading.addAll(List.of("speedup", "most of all", "best K"));
                rows.add(heading);
            }
            rows.add(row(variant, diagnosis));
        });
        return rows;
    }

    private static Map<String, Diagnosis> diagnoses(List<VariantResult> variants) {
        var found = new LinkedHashMap<String, Diagnosis>();
        variants.forEach(each -> each.diagnosis().ifPresent(own -> found.put(each.name(), own)));
        return found;
    }

    private static List<String> row(String variant, Diagnosis diagnosis) {
        var row = new ArrayList<>(List.of(variant, decimal(diagnosis.formulaSpeedup(), 2)));
        diagnosis.reasons().forEach(reason -> row.add("x " + decimal(reason.factor(), 2)));
        row.add("= " + decimal(diagnosis.measured(), 2));
        row.add(diagnosis.greatest().name());
        row.add(Integer.toString(diagnosis.bestLength()));
        return row;
    }

    /// Returns the contribution of each drafter of each variant with several, a heading first; empty if every variant has one
    /// drafter.
    public static List<List<String>> contributions(List<VariantResult> variants) {
        var rows = new ArrayList<List<String>>();
        for (VariantResult variant : variants) {
            variant.contributions().forEach(each -> rows.add(row(variant, each)));
        }
        return headed(rows, "variant", "drafter", "rounds", "nodes", "accepted", "a node");
    }

    private static List<String> row(VariantResult variant, DrafterContribution each) {
        double rounds = Math.max(1, variant.counts().rounds());
        return List.of(
                variant.name(),
                each.drafter(),
                decimal(100 * each.proposals() / rounds, 0) + "%",
                decimal(each.nodes() / rounds, 2),
                decimal(each.accepted() / rounds, 2),
                decimal((double) each.accepted() / Math.max(1, each.nodes()), 2));
    }

    private static List<List<String>> headed(List<List<String>> rows, String... heading) {
        if (!rows.isEmpty()) {
            rows.addFirst(List.of(heading));
        }
        return rows;
    }

    private static String decimal(double value, int decimals) {
        return Value.decimal(value, decimals);
    }
}
