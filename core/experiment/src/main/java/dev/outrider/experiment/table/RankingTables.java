package dev.outrider.experiment.table;

import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.Ranking.Verdict;
import dev.outrider.experiment.stats.VariantResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Which of the variants that share a baseline is the fastest: the rank of each, and every pair.
///
/// @param conclusion a sentence or two
/// @param rankings   a row for each variant
/// @param pairs      how many times as fast the variant of a row is as that of a column
public record RankingTables(String conclusion, Table rankings, Table pairs) {
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
        var columns = new ArrayList<Column<VariantResult>>();
        columns.add(Column.words("variant", "row / column", VariantResult::name));
        for (VariantResult other : family) {
            columns.add(Column.of(other.name(), other.name(), variant -> against(variant, other)));
        }
        return new RankingTables(
                conclusion(family),
                Table.of(VariantColumns.at(Place.RANKINGS), family),
                Table.of(columns, family));
    }

    private static Value against(VariantResult variant, VariantResult other) {
        return variant.ranking().orElseThrow().against().stream()
                .filter(each -> each.variant().equals(other.name()))
                .findFirst()
                .map(each -> Value.ratio(each.ratio(), 2))
                .orElse(Value.absent("1"));
    }

    /// Returns the conclusion from the verdicts.
    static String conclusion(List<VariantResult> family) {
        var leader = leader(family);
        return switch (leader.ranking().orElseThrow().verdict()) {
            case FASTEST -> "Fastest: %s.".formatted(leader.name());
            case TIED ->
                    "Tied for fastest, within 2 %%: %s.".formatted(names(family, Verdict.TIED));
            case OPEN -> open(family, leader);
            case UNKNOWN, SLOWER -> "Fewer than 6 prompts show nothing.";
        };
    }

    private static String open(List<VariantResult> family, VariantResult leader) {
        String tied = names(family, Verdict.TIED);
        String more =
                leader.ranking()
                        .flatMap(Ranking::morePrompts)
                        .map("about %d more prompts would decide"::formatted)
                        .orElse("a million prompts would not decide");
        return "Not told apart: %s%s; %s."
                .formatted(
                        names(family, Verdict.OPEN),
                        tied.isEmpty() ? "" : " (as fast, within 2 %: " + tied + ")",
                        more);
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
                .map(VariantResult::name)
                .collect(Collectors.joining(", "));
    }
}
