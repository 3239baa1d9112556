package dev.outrider.experiment.table;

import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.Ranking.Verdict;
import dev.outrider.experiment.stats.VariantResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Which of the variants that share a baseline is the fastest: the rank of each, and every pair.
///
/// @param conclusion a sentence or two
/// @param rankings   a row for each variant; none with too few prompts to say anything
/// @param pairs      how many times as fast the variant of a row is as that of a column; none where there is no ranking
public record RankingTables(String conclusion, Table rankings, Table pairs) {
    /// What the intervals of a conclusion, of a ranking and of its pairs are, beside those of speedups.
    public static final String INTERVALS =
            "The verdict's ratios are geometric means, with 95 % intervals for all pairs together; those of 'speedup' are medians,"
                    + " each interval for one variant alone and so narrower.";

    /// The tables of a comparison, one for each baseline with a variant; none where nothing is known.
    public static List<RankingTables> of(List<VariantResult> variants) {
        return variants.stream()
                .filter(variant -> variant.ranking().isPresent())
                .collect(
                        Collectors.groupingBy(
                                VariantResult::baseline, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .filter(family -> family.size() > 1)
                .map(RankingTables::ofFamily)
                .toList();
    }

    private static RankingTables ofFamily(List<VariantResult> family) {
        boolean unknown = leader(family).ranking().orElseThrow().verdict() == Verdict.UNKNOWN;
        var ranked = unknown ? List.<VariantResult>of() : family;
        var columns = new ArrayList<Column<VariantResult>>();
        columns.add(Column.words("variant", "row / column", VariantResult::name));
        for (VariantResult other : family) {
            columns.add(Column.of(other.name(), other.name(), variant -> against(variant, other)));
        }
        return new RankingTables(
                conclusion(family),
                Table.of(VariantColumns.at(Place.RANKINGS), ranked),
                Table.of(columns, ranked));
    }

    /// Whether there were enough prompts for a ranking.
    public boolean known() {
        return !rankings.rows().isEmpty();
    }

    private static Value against(VariantResult variant, VariantResult other) {
        return variant.ranking().orElseThrow().against().stream()
                .filter(each -> each.variant().equals(other.name()))
                .findFirst()
                .map(each -> Value.ratio(each.ratio(), 2))
                .orElse(Value.absent("1"));
    }

    /// Returns the conclusion from the verdicts: a sentence, and where nothing is decided how many prompts would decide about which pair.
    static String conclusion(List<VariantResult> family) {
        var leader = leader(family);
        return switch (leader.ranking().orElseThrow().verdict()) {
            case FASTEST ->
                    leader.plain()
                            ? "Nothing beats plain decoding here: %s."
                                    .formatted(againstPlain(nearest(family, leader), leader))
                            : "Fastest: %s.".formatted(againstPlain(leader, plain(family)));
            case TIED ->
                    beaten(family, leader)
                            + "Tied for fastest, within 2 %%: %s%s."
                                    .formatted(names(family, Verdict.TIED), ahead(family, leader));
            case OPEN -> beaten(family, leader) + open(family, leader);
            case UNKNOWN, SLOWER ->
                    "Fewer than 6 prompts: which variant is the fastest is said from 6 prompts on.";
        };
    }

    private static String open(List<VariantResult> family, VariantResult leader) {
        String tied = names(family, Verdict.TIED);
        var other = hardest(family, leader);
        String pair = "%s from %s".formatted(name(leader), name(other));
        return "Not told apart: %s%s%s; %s."
                .formatted(
                        names(family, Verdict.OPEN),
                        tied.isEmpty() ? "" : " (as fast, within 2 %: " + tied + ")",
                        ahead(family, leader),
                        other.ranking()
                                .flatMap(Ranking::morePrompts)
                                .map(more ->
                                        "about %d more prompts would tell %s (--until-decided)"
                                                .formatted(more, pair))
                                .orElse("a million prompts would not tell " + pair));
    }

    /// The variant that takes most prompts to tell from the leader.
    private static VariantResult hardest(List<VariantResult> family, VariantResult leader) {
        return family.stream()
                .filter(variant -> !variant.equals(leader))
                .filter(variant ->
                        variant.ranking().map(Ranking::verdict).equals(Optional.of(Verdict.OPEN)))
                .max(
                        Comparator.comparingLong(variant ->
                                variant.ranking()
                                        .flatMap(Ranking::morePrompts)
                                        .orElse(Long.MAX_VALUE)))
                .orElse(leader);
    }

    private static VariantResult nearest(List<VariantResult> family, VariantResult leader) {
        return family.stream()
                .filter(variant -> !variant.equals(leader))
                .max(
                        Comparator.comparingDouble(variant ->
                                variant.ranking().map(each -> each.toBest().value()).orElse(0.0)))
                .orElse(leader);
    }

    private static VariantResult plain(List<VariantResult> family) {
        return family.stream()
                .filter(VariantResult::plain)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a family has its baseline"));
    }

    /// Says that no variant is shown to beat plain decoding; nothing where one is.
    private static String beaten(List<VariantResult> family, VariantResult leader) {
        var plain = plain(family);
        boolean beaten =
                !plain.equals(leader)
                        && plain.ranking()
                                .map(Ranking::verdict)
                                .equals(Optional.of(Verdict.SLOWER));
        return beaten ? "" : "Nothing is shown to beat plain decoding here. ";
    }

    /// How far a leader that beats plain decoding is ahead of it.
    private static String ahead(List<VariantResult> family, VariantResult leader) {
        return beaten(family, leader).isEmpty()
                ? " (" + againstPlain(leader, plain(family)) + ")"
                : "";
    }

    private static String againstPlain(VariantResult variant, VariantResult plain) {
        var ratio =
                variant.ranking().orElseThrow().against().stream()
                        .filter(each -> each.variant().equals(plain.name()))
                        .findFirst()
                        .orElseThrow()
                        .ratio();
        return "%s, %s times %s %s"
                .formatted(
                        name(variant),
                        Value.decimal(ratio.value(), 2),
                        plain.name().equals("plain") ? "plain decoding" : name(plain),
                        ratio.bounds(number -> Value.decimal(number, 2)));
    }

    private static VariantResult leader(List<VariantResult> family) {
        return family.stream()
                .filter(variant ->
                        variant.ranking().map(Ranking::toBest).equals(Optional.of(Interval.ONE)))
                .findFirst()
                .orElse(family.getFirst());
    }

    private static String names(List<VariantResult> family, Verdict verdict) {
        return family.stream()
                .filter(variant ->
                        variant.ranking().map(Ranking::verdict).equals(Optional.of(verdict)))
                .map(RankingTables::name)
                .collect(Collectors.joining(", "));
    }

    /// A name in a sentence.
    private static String name(VariantResult variant) {
        return variant.name().contains(",") ? "'" + variant.name() + "'" : variant.name();
    }
}
