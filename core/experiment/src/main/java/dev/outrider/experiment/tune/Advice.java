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
        var cost = Cost.of(nearest, plain);
        var other =
                report.speculative().stream()
                        .filter(each -> !each.equals(nearest))
                        .max(bySpeedup());
        var factor =
                winner.isEmpty()
                        ? cost.against()
                        : other.map(each -> cost.inFavour(Cost.of(each, plain)))
                                .orElse(Factor.ACCEPTANCE);
        return new Advice(
                winner,
                nearest,
                what(winner, nearest, report.prompts()),
                why(winner, nearest, cost, factor, other),
                change(factor, cost, nearest, report.prompts()));
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

    private static String what(Optional<VariantResult> winner, VariantResult nearest, int prompts) {
        var speed = times(nearest);
        return winner.isPresent()
                ? "Run '%s': %s times plain decoding, on %d prompts."
                        .formatted(nearest.name(), speed, prompts)
                : "Run plain decoding: nothing here is shown to be faster; '%s' comes nearest with %s times its speed, on %d prompts."
                        .formatted(nearest.name(), speed, prompts);
    }

    private static String why(
            Optional<VariantResult> winner,
            VariantResult nearest,
            Cost cost,
            Factor factor,
            Optional<VariantResult> other) {
        var parts =
                "A round of '%s' yields %s tokens and takes %s rounds of plain decoding (pass of %s rows %s, draft %s, rest %s)"
                        .formatted(
                                nearest.name(),
                                number(cost.tokens),
                                number(cost.all()),
                                Value.decimal(nearest.rowsPerPass(), 1),
                                number(cost.pass),
                                number(cost.draft),
                                number(cost.rest));
        var decided =
                winner.isEmpty()
                        ? "what is against it is %s".formatted(factor.words)
                        : other.map(each ->
                                        "what tells it from '%s' is %s"
                                                .formatted(each.name(), factor.words))
                                .orElse("what decides is %s".formatted(factor.words));
        var formula =
                nearest.diagnosis()
                        .map(Diagnosis::greatest)
                        .map(each ->
                                "; between formula and measurement the greatest factor is '%s', %s"
                                        .formatted(each.name(), number(each.factor())))
                        .orElse("");
        return "%s; %s%s.".formatted(parts, decided, formula);
    }

    private static String change(Factor factor, Cost cost, VariantResult nearest, int prompts) {
        var breakEven =
                "it pays above %s tokens a round, which text of another kind or another drafter decides"
                        .formatted(number(cost.all()));
        var by =
                switch (factor) {
                    case ACCEPTANCE -> "What would change it: " + breakEven;
                    case PASS ->
                            "What would change it: a larger target or another machine, where a pass of more rows costs less beside one of one row; "
                                    + breakEven;
                    case DRAFT ->
                            "What would change it: a cheaper drafter or a larger target; "
                                    + breakEven;
                    case REST ->
                            "What would change it: a larger target, beside which the engine's own part is small; "
                                    + breakEven;
                };
        var more =
                nearest.ranking()
                        .filter(ranking -> ranking.verdict() == Verdict.OPEN)
                        .flatMap(Ranking::morePrompts)
                        .map(
                                "; about %d more prompts would decide what is not told apart"
                                        ::formatted)
                        .orElse("");
        var few =
                nearest.ranking().map(Ranking::verdict).equals(Optional.of(Verdict.UNKNOWN))
                        ? "; %d prompts show little, so give more minutes".formatted(prompts)
                        : "";
        return by + more + few + ".";
    }

    /// What decides a comparison.
    private enum Factor {
        ACCEPTANCE("acceptance: tokens a round"),
        PASS("t(n): the target's pass of more rows"),
        DRAFT("draft cost"),
        REST("the engine's own part of a round");

        private final String words;

        Factor(String words) {
            this.words = words;
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
            var other = plain.meanNanos();
            double round =
                    other.draft()
                            + other.score()
                            + other.decide()
                            + other.commit()
                            + other.observe()
                            + other.rest();
            return new Cost(
                    variant.tokensPerRound(),
                    own.score() / round,
                    own.draft() / round,
                    (own.decide() + own.commit() + own.observe() + own.rest()) / round);
        }

        double all() {
            return pass + draft + rest;
        }

        /// What keeps it behind plain decoding.
        Factor against() {
            return tokens < FEW_TOKENS ? Factor.ACCEPTANCE : greatest(0, pass - 1, draft, rest);
        }

        /// What puts it before another.
        Factor inFavour(Cost other) {
            return greatest(
                    Math.log(tokens / other.tokens),
                    (other.pass - pass) / all(),
                    (other.draft - draft) / all(),
                    (other.rest - rest) / all());
        }

        private static Factor greatest(double tokens, double pass, double draft, double rest) {
            var shares = new LinkedHashMap<Factor, Double>();
            shares.put(Factor.ACCEPTANCE, tokens);
            shares.put(Factor.PASS, pass);
            shares.put(Factor.DRAFT, draft);
            shares.put(Factor.REST, rest);
            return shares.entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey)
                    .orElseThrow();
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
