package dev.outrider.experiment.tune;

import dev.outrider.common.Columns;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.stats.Diagnosis;
import dev.outrider.experiment.stats.Diagnosis.Finite;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Place;
import dev.outrider.experiment.table.RankingTables;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Value;
import dev.outrider.experiment.table.VariantColumns;
import dev.outrider.experiment.tune.Tuning.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// The advice that follows from the last comparison.
///
/// @param nearest the fastest variant of it
/// @param lines   the variant to run, with the conclusion of the comparison; the tokens and the cost of a round; the change with
///                the greatest effect
public record Advice(VariantResult nearest, List<String> lines) {
    private static final int YAML_PROMPTS = 12;

    /// Returns the advice from a comparison with at least one variant. A lossless variant is recommended if it is shown to be
    /// faster than plain decoding; fewer than six prompts show nothing.
    public static Advice of(Report report) {
        var tables = RankingTables.of(report.variants());
        var winner = tables.stream().flatMap(each -> each.winner().stream()).findFirst();
        var nearest =
                winner.or(() ->
                                report.speculative().stream()
                                        .max(
                                                Comparator.comparing(RankingTables::exact)
                                                        .thenComparing(
                                                                each -> each.overPlain().value())))
                        .orElseThrow();
        var name = nearest.name();
        var ratio = nearest.overPlain();
        boolean faster = winner.isPresent();
        boolean unknown = tables.stream().noneMatch(RankingTables::known);
        var run =
                faster
                        ? "Run '%s'.".formatted(name)
                        : "%s; nearest is '%s', %s times as fast."
                                .formatted(
                                        unknown ? "Not decided" : "Run plain decoding",
                                        name,
                                        ratio.low().isEmpty()
                                                ? number(ratio.value())
                                                : ratio.shown(Advice::number));
        var conclusion = tables.stream().map(RankingTables::conclusion);
        double cost = Finite.orZero(nearest.tokensPerRound() / nearest.speed().expected());
        var why =
                "A round of '%s' yields %s tokens and costs as much as %s rounds of plain decoding"
                        .formatted(name, number(nearest.tokensPerRound()), number(cost));
        var difference =
                nearest.diagnosis()
                        .map(each ->
                                "; the formula says %s, and the difference comes mostly from '%s', a factor of %s"
                                        .formatted(
                                                number(each.formulaSpeedup()),
                                                each.greatest().name(),
                                                number(each.greatest().factor())));
        var change =
                !faster && !RankingTables.exact(nearest)
                        ? "a lossless variant that is faster; the output of '%s' is not the target's"
                                .formatted(name)
                        : faster || nearest.tokensPerRound() < cost
                                ? "break-even: %s tokens per round, %s is faster"
                                        .formatted(
                                                number(cost),
                                                faster
                                                        ? "below which plain decoding"
                                                        : "above which '%s'".formatted(name))
                                : nearest.diagnosis()
                                        .filter(_ -> !unknown && ratio.below(1))
                                        .map(each -> loss(each.greatestLoss()))
                                        .orElse(
                                                "more prompts or minutes; so far the difference may be chance");
        return new Advice(
                nearest,
                List.of(
                        run + " " + conclusion.collect(Collectors.joining(" ")),
                        why + difference.orElse("") + ".",
                        "What would change it: %s.".formatted(change)));
    }

    private static String loss(Diagnosis.Reason reason) {
        return "'%s', which slows it most, a factor of %s"
                .formatted(reason.name(), number(reason.factor()));
    }

    /// Every measured candidate with the result of its longest comparison, those of the last comparison first.
    public static String table(List<Measured> found) {
        var rows = new LinkedHashMap<String, VariantResult>();
        var stages = new HashMap<String, String>();
        for (var measured : found.reversed()) {
            for (var each : measured.report().rows()) {
                rows.putIfAbsent(each.name(), each);
                stages.putIfAbsent(each.name(), measured.stage().name());
            }
        }
        var columns = new ArrayList<>(VariantColumns.at(Place.BENCH));
        columns.add(Column.words("measured in", each -> stages.getOrDefault(each.name(), "")));
        return Columns.aligned(Table.of(columns, List.copyOf(rows.values())).shown());
    }

    /// Returns a configuration that compares the fastest variant and the best of the others with plain decoding.
    public String yaml(TuneSettings settings, Measured last) {
        var candidates = new ArrayList<>(Tuning.best(last, Integer.MAX_VALUE));
        candidates.sort(Comparator.comparing(each -> !each.name().equals(nearest.name())));
        var two = candidates.subList(0, Math.min(2, candidates.size()));
        var protocol =
                settings.protocol(
                        settings.prompts(), YAML_PROMPTS, 1, 2, settings.testSeconds(), 0);
        return "# %s%n".formatted(String.join("\n# ", lines))
                + settings.yaml("tuned", "", protocol, settings.maxTokens(), two);
    }

    static String number(double value) {
        return Value.decimal(value, 2);
    }
}
