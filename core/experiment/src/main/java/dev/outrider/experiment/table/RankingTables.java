package dev.outrider.experiment.table;

import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.Ranking.Verdict;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.verify.Evidence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// The ranking of the variants that share a baseline: the rank of each, and every pair.
///
/// @param baseline   name of the plain decoding that they share
/// @param conclusion a sentence or two, which begin with the settings if there are several baselines
/// @param winner     of the lossless variants that are shown to beat plain decoding, the one with the highest mean
/// @param morePrompts the approximate number of further prompts that would decide between the two variants of the conclusion, if
///                    that is open
/// @param rankings   a row for each variant; none if there are too few prompts
/// @param pairs      speed of the row's variant over that of the column's; none if there is no ranking
public record RankingTables(
        String baseline,
        String conclusion,
        Optional<VariantResult> winner,
        Optional<Long> morePrompts,
        Table rankings,
        Table pairs) {
    /// Explains the intervals of a conclusion, of a ranking and of its pairs, and those of speedups.
    public static final String INTERVALS =
            "The verdict's ratios are geometric means, with 95 % intervals for all pairs together; those of 'speedup' are medians,"
                    + " each interval for one variant alone, not corrected for the others.";

    /// Returns the tables of a comparison, one for each baseline with a variant; none if there is no ranking.
    public static List<RankingTables> of(List<VariantResult> variants) {
        var families =
                variants.stream()
                        .filter(variant -> variant.ranking().isPresent())
                        .collect(
                                Collectors.groupingBy(
                                        VariantResult::baseline,
                                        LinkedHashMap::new,
                                        Collectors.toList()))
                        .values();
        return families.stream()
                .filter(family -> family.size() > 1)
                .map(family -> of(Family.of(family), families.size() > 1))
                .toList();
    }

    private static RankingTables of(Family family, boolean several) {
        var all = family.all;
        var ranked =
                family.verdict(family.leader) == Verdict.UNKNOWN ? List.<VariantResult>of() : all;
        var columns = new ArrayList<Column<VariantResult>>();
        columns.add(Column.words("row / column", VariantResult::name));
        for (VariantResult other : all) {
            columns.add(Column.of(other.name(), variant -> against(variant, other)));
        }
        return new RankingTables(
                family.plain.name(),
                (several ? family.settings() + ": " : "") + family.conclusion(),
                family.winner(RankingTables::exact),
                Family.ranking(family.hardest()).morePrompts(),
                Table.of(VariantColumns.at(Place.RANKINGS), ranked),
                Table.of(columns, ranked));
    }

    /// Whether there were enough prompts for a ranking.
    public boolean known() {
        return !rankings.rows().isEmpty();
    }

    /// Returns whether no test or comparison shows that its output is not the target's.
    public static boolean exact(VariantResult variant) {
        return Family.doubt(variant).isEmpty();
    }

    private static Value against(VariantResult variant, VariantResult other) {
        return variant.ranking().orElseThrow().against().stream()
                .filter(each -> each.variant().equals(other.name()))
                .findFirst()
                .map(each -> Value.ratio(each.ratio(), 2))
                .orElse(Value.absent("1"));
    }

    /// Variants that share a baseline.
    ///
    /// @param leader the fastest of them
    /// @param plain  the baseline
    private record Family(List<VariantResult> all, VariantResult leader, VariantResult plain) {
        static Family of(List<VariantResult> all) {
            var leader = first(all, each -> ranking(each).toBest().equals(Interval.ONE));
            return new Family(all, leader, first(all, VariantResult::plain));
        }

        private static VariantResult first(
                List<VariantResult> all, Predicate<VariantResult> wanted) {
            return all.stream().filter(wanted).findFirst().orElse(all.getFirst());
        }

        private static Ranking ranking(VariantResult variant) {
            return variant.ranking().orElseThrow();
        }

        Verdict verdict(VariantResult variant) {
            return ranking(variant).verdict();
        }

        String settings() {
            String temperature = Double.toString(plain.temperature()).replaceFirst("\\.0$", "");
            return plain.name().equals("plain")
                    ? plain.sampling().orElse("T = " + temperature)
                    : plain.name().replaceFirst("^plain, ", "");
        }

        /// Returns a sentence; if nothing is decided, with the number of prompts that would decide, and about which pair.
        String conclusion() {
            var winner = winner(_ -> true);
            String nothing =
                    winner.isPresent() ? "" : "Nothing is shown to beat plain decoding here. ";
            String ahead = winner.map(each -> " (" + againstPlain(each) + ")").orElse("");
            String verdict =
                    switch (verdict(leader)) {
                        case FASTEST ->
                                leader.plain()
                                        ? "Nothing beats plain decoding here: %s."
                                                .formatted(
                                                        againstPlain(
                                                                most(each ->
                                                                        each.toBest().value())))
                                        : "Fastest: %s.".formatted(againstPlain(leader));
                        case TIED ->
                                "%sTied for fastest, within 2 %%: %s%s."
                                        .formatted(nothing, names(Verdict.TIED), ahead);
                        case OPEN -> nothing + open(ahead);
                        case UNKNOWN, SLOWER ->
                                "Fewer than %1$d independent prompts: which variant is the fastest is said from %1$d on."
                                        .formatted(Ranking.MIN_PROMPTS);
                    };
            return winner.filter(each -> !exact(each))
                    .map(_ -> verdict + lossless())
                    .orElse(verdict);
        }

        private String lossless() {
            return winner(RankingTables::exact)
                    .map(each -> " Without loss: %s.".formatted(againstPlain(each)))
                    .orElse(" No lossless variant is shown to beat plain decoding.");
        }

        /// Returns a note if a variant's output is not that of the target.
        private static String doubt(VariantResult variant) {
            var exactness = variant.exactness();
            if (exactness.losslessness().equals(Variant.LOSSY)) {
                return " (lossy)";
            }
            if (exactness.evidence().filter(Evidence::rejected).isPresent()) {
                return " (exactness rejected)";
            }
            return exactness.greedyIds().filter(each -> each.unlike().isPresent()).isPresent()
                    ? " (other output)"
                    : "";
        }

        private String open(String ahead) {
            String tied = names(Verdict.TIED);
            var hardest = hardest();
            String pair = "%s and %s".formatted(name(leader), name(hardest));
            return "Not told apart: %s%s%s; %s."
                    .formatted(
                            names(Verdict.OPEN),
                            tied.isEmpty() ? "" : " (as fast, within 2 %: " + tied + ")",
                            ahead,
                            ranking(hardest)
                                    .morePrompts()
                                    .map(more ->
                                            "about %d more prompts would decide between %s"
                                                    .formatted(more, pair))
                                    .orElse("a million prompts would not decide between " + pair));
        }

        /// Returns the variant that is hardest to tell from the leader: plain decoding, or the variant that takes most prompts if
        /// something is faster than plain decoding.
        VariantResult hardest() {
            return winner(_ -> true).isEmpty() && !leader.plain() && verdict(plain) == Verdict.OPEN
                    ? plain
                    : most(Family::promptsToTell);
        }

        private static double promptsToTell(Ranking ranking) {
            return ranking.verdict() == Verdict.OPEN
                    ? ranking.morePrompts().map(Long::doubleValue).orElse(Double.MAX_VALUE)
                    : -1;
        }

        /// Returns the variant, other than the leader, with the greatest value.
        private VariantResult most(ToDoubleFunction<Ranking> value) {
            return all.stream()
                    .filter(each -> !each.equals(leader))
                    .max(Comparator.comparingDouble(each -> value.applyAsDouble(ranking(each))))
                    .orElse(leader);
        }

        /// Of the variants that are shown to beat plain decoding, the one with the highest mean.
        private Optional<VariantResult> winner(Predicate<VariantResult> wanted) {
            return all.stream()
                    .filter(each -> !each.plain() && wanted.test(each) && each.overPlain().above(1))
                    .max(Comparator.comparingDouble(each -> each.overPlain().value()));
        }

        private String againstPlain(VariantResult variant) {
            var ratio = variant.overPlain();
            return "%s, %s times %s %s"
                    .formatted(
                            name(variant),
                            Value.decimal(ratio.value(), 2),
                            plain.name().equals("plain") ? "plain decoding" : name(plain),
                            ratio.bounds(number -> Value.decimal(number, 2)));
        }

        private String names(Verdict verdict) {
            return all.stream()
                    .filter(each -> verdict(each) == verdict)
                    .map(Family::name)
                    .collect(Collectors.joining(", "));
        }

        /// A name in a sentence.
        private static String name(VariantResult variant) {
            return (variant.name().contains(",") ? "'" + variant.name() + "'" : variant.name())
                    + doubt(variant);
        }
    }
}
