package dev.outrider.experiment.tune;

import dev.outrider.common.Columns;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.stats.Diagnosis;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.Ranking.Verdict;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.Value;
import dev.outrider.experiment.tune.Tuning.Found;
import dev.outrider.experiment.tune.Tuning.Measured;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The advice that follows from the last comparison: what to run, why, and what would change it.
///
/// @param winner  faster than plain decoding; empty if nothing is
/// @param nearest the fastest variant that was compared last, which is the winner if there is one
/// @param what    a sentence: what to run
/// @param why     a sentence: the factor that decided
/// @param change  a sentence: what would change it
public record Advice(
        Optional<VariantResult> winner,
        VariantResult nearest,
        String what,
        String why,
        String change) {
    /// Below this, acceptance is what keeps plain decoding ahead.
    private static final double FEW_TOKENS = 1.25;

    private static final int YAML_PROMPTS = 12;

    /// Advice from a comparison with at least one variant.
    public static Advice of(Report report) {
        var winner = winner(report);
        var nearest =
                winner.orElseGet(
                        () -> report.speculative().stream().max(bySpeedup()).orElseThrow());
        var plain =
                report.variants().stream().filter(VariantResult::plain).findFirst().orElseThrow();
        // The winner against the next one, or plain decoding against the nearest one.
        var first = winner.orElse(plain);
        var second =
                report.speculative().stream()
                        .filter(each -> !each.equals(first))
                        .max(bySpeedup())
                        .orElse(plain);
        var cost = Cost.of(nearest, plain);
        var factor =
                winner.isEmpty() && cost.tokens < FEW_TOKENS
                        ? Factor.ACCEPTANCE
                        : Cost.of(first, plain).before(Cost.of(second, plain));
        return new Advice(
                winner,
                nearest,
                (winner.isPresent()
                                ? "Run '%s': %s times plain decoding, on %d prompts."
                                : "Run plain decoding: nothing here is shown to be faster; '%s' comes nearest with %s times its speed, on %d prompts.")
                        .formatted(nearest.name(), times(nearest), report.coverage().prompts()),
                "A round of '%s' yields %s tokens and takes %s rounds of plain decoding (pass of %s rows %s, draft %s, rest %s); what puts '%s' before '%s' is %s%s."
                        .formatted(
                                nearest.name(),
                                number(cost.tokens),
                                number(cost.all()),
                                Value.decimal(nearest.rowsPerPass(), 1),
                                number(cost.pass),
                                number(cost.draft),
                                number(cost.rest),
                                first.name(),
                                second.name(),
                                factor.words,
                                nearest.diagnosis()
                                        .map(Diagnosis::greatest)
                                        .map(each ->
                                                "; between formula and measurement the greatest factor is '%s', %s"
                                                        .formatted(
                                                                each.name(), number(each.factor())))
                                        .orElse("")),
                "What would change it: %s; it pays above %s tokens a round%s."
                        .formatted(factor.change, number(cost.all()), more(nearest, report)));
    }

    private static String more(VariantResult nearest, Report report) {
        var ranking = nearest.ranking();
        if (ranking.map(Ranking::verdict).equals(Optional.of(Verdict.UNKNOWN))) {
            return "; %d prompts show little, so give more minutes"
                    .formatted(report.coverage().prompts());
        }
        return ranking.flatMap(Ranking::morePrompts)
                .map("; about %d more prompts would decide what is not told apart"::formatted)
                .orElse("");
    }

    /// The variant of greatest speedup among those that are shown to be faster than plain decoding.
    static Optional<VariantResult> winner(Report report) {
        return report.speculative().stream().filter(Advice::faster).max(bySpeedup());
    }

    private static Comparator<VariantResult> bySpeedup() {
        return Comparator.comparingDouble(each -> each.speedup().value());
    }

    /// The interval of its speedup is above 1, and, where there are enough prompts for one, the interval that holds for all pairs and interim
    /// analyses together.
    private static boolean faster(VariantResult variant) {
        var together =
                variant.ranking()
                        .filter(ranking -> ranking.verdict() != Verdict.UNKNOWN)
                        .flatMap(ranking ->
                                ranking.against().stream()
                                        .filter(each -> each.variant().equals(variant.baseline()))
                                        .map(Ranking.Against::ratio)
                                        .findFirst());
        return variant.speedup().above(1) && together.map(ratio -> ratio.above(1)).orElse(true);
    }

    /// What decides a comparison, and what would change that.
    private enum Factor {
        ACCEPTANCE(
                "acceptance, tokens a round", "text of another kind, or a drafter trained on it"),
        PASS(
                "t(n), the target's pass of more rows",
                "a larger target or another machine, where further rows cost less"),
        DRAFT("the cost of drafts", "a cheaper drafter, or a larger target"),
        REST("the engine's own part of a round", "a larger target");

        private final String words;
        private final String change;

        Factor(String words, String change) {
            this.words = words;
            this.change = change;
        }
    }

    /// A mean round, in rounds of plain decoding.
    ///
    /// @param tokens that it yields
    /// @param pass   the target's pass
    /// @param draft  the draft
    /// @param rest   everything else
    private record Cost(double tokens, double pass, double draft, double rest) {
        static Cost of(VariantResult variant, VariantResult plain) {
            var own = variant.meanNanos();
            double round = plain.meanNanos().score() + plain.meanNanos().draft() + rest(plain);
            return new Cost(
                    variant.tokensPerRound(),
                    own.score() / round,
                    own.draft() / round,
                    rest(variant) / round);
        }

        private static double rest(VariantResult variant) {
            var nanos = variant.meanNanos();
            return nanos.decide() + nanos.commit() + nanos.observe() + nanos.rest();
        }

        double all() {
            return pass + draft + rest;
        }

        /// Returns what puts it before another.
        Factor before(Cost other) {
            var shares =
                    Map.of(
                            Factor.ACCEPTANCE, Math.log(tokens / other.tokens),
                            Factor.PASS, (other.pass - pass) / all(),
                            Factor.DRAFT, (other.draft - draft) / all(),
                            Factor.REST, (other.rest - rest) / all());
            return Collections.max(shares.entrySet(), Map.Entry.comparingByValue()).getKey();
        }
    }

    /// Every candidate that was measured, as the longest of its comparisons found it, those of the last comparison first.
    public static String table(Found found) {
        var rows = new LinkedHashMap<String, List<String>>();
        for (Measured measured : found.stages().reversed()) {
            measured.report().speculative().stream()
                    .sorted(bySpeedup().reversed())
                    .forEach(each ->
                            rows.putIfAbsent(each.name(), row(each, measured.stage().name())));
        }
        var all = new ArrayList<List<String>>();
        all.add(
                List.of(
                        "variant",
                        "measured in",
                        "times plain",
                        "tokens/round",
                        "accept",
                        "draft length",
                        "draft cost"));
        all.addAll(rows.values());
        return Columns.aligned(all);
    }

    private static List<String> row(VariantResult variant, String stage) {
        return List.of(
                variant.name(),
                stage,
                times(variant),
                number(variant.tokensPerRound()),
                Value.decimal(variant.alpha(), 3),
                Value.decimal(variant.draftLength(), 1),
                Value.decimal(variant.speed().draftCost(), 3));
    }

    /// A line for each drafter with its expected speedups by length.
    public static String lengths(Found found) {
        return found.lengths().entrySet().stream()
                .map(family ->
                        "%s: %s%n"
                                .formatted(
                                        family.getKey(),
                                        family.getValue().entrySet().stream()
                                                .map(each ->
                                                        "%d: %s"
                                                                .formatted(
                                                                        each.getKey(),
                                                                        number(each.getValue())))
                                                .collect(Collectors.joining(", "))))
                .collect(Collectors.joining());
    }

    /// Returns a configuration that compares the winner, or what comes nearest, and the next one of the last comparison with plain decoding.
    ///
    /// @param format of the target's numbers; empty for that of its file
    public String yaml(TuneSettings settings, String format, Measured last) {
        var candidates = new ArrayList<>(Tuning.third(last));
        candidates.sort(Comparator.comparing(each -> !each.name().equals(nearest.name())));
        return "# %s%n# %s%n# %s%n%s"
                .formatted(
                        what,
                        why,
                        change,
                        settings.yaml(
                                "tuned",
                                format,
                                settings.protocol(
                                        YAML_PROMPTS,
                                        1,
                                        2,
                                        settings.temperature() > 0 ? 3 : 0,
                                        settings.seed()),
                                settings.maxTokens(),
                                candidates));
    }

    private static String times(VariantResult variant) {
        return variant.speedup().shown(Advice::number);
    }

    private static String number(double value) {
        return Value.decimal(value, 2);
    }
}
