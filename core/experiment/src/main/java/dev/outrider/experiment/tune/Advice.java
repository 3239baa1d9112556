package dev.outrider.experiment.tune;

import dev.outrider.common.Columns;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.stats.Diagnosis.Finite;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.Ranking.Verdict;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.RankingTables;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Value;
import dev.outrider.experiment.table.VariantColumns;
import dev.outrider.experiment.tune.TuningResult.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The advice that follows from the last comparison: what to run, why, and what would change it.
///
/// @param winner  shown to be faster than plain decoding, and the fastest of those that are; empty if nothing is
/// @param nearest the fastest variant that was compared last, which is the winner if there is one
/// @param what    sentences: what to run
/// @param why     a sentence: what a round yields and costs
/// @param change  a sentence: what would change it
public record Advice(
        Optional<VariantResult> winner,
        VariantResult nearest,
        String what,
        String why,
        String change) {
    private static final int YAML_PROMPTS = 12;

    /// Columns of the table of all candidates.
    private static final List<String> COLUMNS =
            List.of("variant", "speedup", "tokensPerRound", "alpha", "draftLength", "draftCost");

    /// Advice from a comparison with at least one variant.
    public static Advice of(Report report) {
        var nearest =
                report.speculative().stream()
                        .max(Comparator.comparingDouble(each -> overPlain(each).value()))
                        .orElseThrow();
        boolean unknown =
                nearest.ranking().map(Ranking::verdict).orElse(Verdict.UNKNOWN) == Verdict.UNKNOWN;
        boolean faster = !unknown && overPlain(nearest).above(1);
        var times = overPlain(nearest).shown(Advice::number);
        double cost = Finite.orZero(nearest.tokensPerRound() / nearest.speed().expected());
        return new Advice(
                faster ? Optional.of(nearest) : Optional.empty(),
                nearest,
                "%s %s"
                        .formatted(
                                faster
                                        ? "Run '%s'.".formatted(nearest.name())
                                        : "%s; nearest is '%s', %s times as fast."
                                                .formatted(
                                                        unknown
                                                                ? "Not decided"
                                                                : "Run plain decoding",
                                                        nearest.name(),
                                                        times),
                                RankingTables.of(report.variants()).stream()
                                        .map(RankingTables::conclusion)
                                        .collect(Collectors.joining(" "))),
                "A round of '%s' yields %s tokens and costs as much as %s rounds of plain decoding%s."
                        .formatted(
                                nearest.name(),
                                number(nearest.tokensPerRound()),
                                number(cost),
                                nearest.diagnosis()
                                        .map(each ->
                                                "; the formula says %s, and the difference comes mostly from '%s', a factor of %s"
                                                        .formatted(
                                                                number(each.formulaSpeedup()),
                                                                each.greatest().name(),
                                                                number(each.greatest().factor())))
                                        .orElse("")),
                "What would change it: break-even: %s tokens per round, %s."
                        .formatted(
                                number(cost),
                                faster
                                        ? "below which plain decoding is faster"
                                        : "above which '%s' is faster".formatted(nearest.name())));
    }

    /// Speed over plain decoding: the interval that holds for all pairs and interim analyses together.
    private static Interval overPlain(VariantResult variant) {
        return variant.ranking().stream()
                .flatMap(ranking -> ranking.against().stream())
                .filter(each -> each.variant().equals(variant.baseline()))
                .map(Ranking.Against::ratio)
                .findFirst()
                .orElse(variant.speedup());
    }

    /// Every candidate that was measured, as the longest of its comparisons found it, those of the last comparison first.
    public static String table(TuningResult found) {
        var rows = new LinkedHashMap<String, VariantResult>();
        var stages = new HashMap<String, String>();
        for (var measured : found.stages().reversed()) {
            measured.report().speculative().stream()
                    .sorted(Comparator.comparingDouble(each -> -each.speedup().value()))
                    .forEach(each -> {
                        rows.putIfAbsent(each.name(), each);
                        stages.putIfAbsent(each.name(), measured.stage().name());
                    });
        }
        var columns = new ArrayList<Column<VariantResult>>();
        for (var column : VariantColumns.ALL) {
            if (COLUMNS.contains(column.term().key())) {
                columns.add(column);
            }
        }
        columns.add(
                Column.words("stage", "measured in", each -> stages.getOrDefault(each.name(), "")));
        return Columns.aligned(Table.of(columns, List.copyOf(rows.values())).shown());
    }

    /// Returns a configuration that compares the winner, or what comes nearest, and the best of the others with plain decoding.
    ///
    /// @param format of the target's numbers; empty for that of its file
    public String yaml(TuneSettings settings, String format, Measured last) {
        var candidates = new ArrayList<>(Tuning.best(last, last.stage().candidates().size()));
        candidates.sort(Comparator.comparing(each -> !each.name().equals(nearest.name())));
        return "# %s%n# %s%n# %s%n%s"
                .formatted(
                        what,
                        why,
                        change,
                        settings.yaml(
                                "tuned",
                                format,
                                TuneSettings.protocol(
                                        settings.prompts(),
                                        YAML_PROMPTS,
                                        1,
                                        2,
                                        settings.testSeconds(),
                                        settings.seed()),
                                settings.maxTokens(),
                                candidates.subList(0, Math.min(2, candidates.size()))));
    }

    static String number(double value) {
        return Value.decimal(value, 2);
    }
}
