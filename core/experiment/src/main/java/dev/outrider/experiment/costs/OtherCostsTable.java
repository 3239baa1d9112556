package dev.outrider.experiment.costs;

import dev.outrider.common.Columns;
import dev.outrider.experiment.costs.OtherCosts.OrderChange;
import dev.outrider.experiment.costs.OtherCosts.PricedVariant;
import dev.outrider.experiment.stats.Ratio;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Table.Term;
import dev.outrider.experiment.table.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Other costs as a person reads them.
public final class OtherCostsTable {
    private static final int MAX_CHANGES = 8;

    private static final List<Column<PricedVariant>> COLUMNS =
            List.of(
                    Column.words(
                            "variant", "variant", "name of the variant", PricedVariant::variant),
                    Column.number(
                            "tokensPerRound",
                            "tokens/round",
                            "as measured in the run",
                            2,
                            PricedVariant::tokensPerRound),
                    Column.of(
                            "here",
                            "here",
                            "",
                            "speedup from the rounds and the costs of the run itself, geometric mean over prompts [95 % interval for all"
                                    + " pairs together]",
                            variant -> speedup(variant, variant.here())),
                    Column.of(
                            "there",
                            "there",
                            "",
                            "the same at the other costs",
                            variant -> speedup(variant, variant.there())),
                    Column.words(
                            "pays",
                            "",
                            "pays or loses where the whole interval is above or below 1",
                            PricedVariant::pays),
                    Column.number(
                            "ranking.probabilityBest",
                            "P(best)",
                            "share of resampled sets of prompts on which it is the fastest there",
                            3,
                            variant -> variant.ranking().probabilityBest()),
                    Column.words(
                            "ranking.verdict",
                            "verdict",
                            "among the variants with its sampling, there",
                            variant -> variant.ranking().verdict().shown()),
                    Column.number(
                            "draft",
                            "draft",
                            "a round's draft there, in target passes of one row",
                            3,
                            PricedVariant::draft),
                    Column.number(
                            "pass",
                            "pass",
                            "a round's target pass there, in passes of one row",
                            3,
                            PricedVariant::pass),
                    Column.number(
                            "engine",
                            "rest",
                            "the rest of a round there, in passes of one row",
                            3,
                            PricedVariant::engine),
                    Column.words(
                            "draftOrigin",
                            "drafts timed",
                            "where the costs of drafts are from",
                            PricedVariant::draftOrigin));

    private OtherCostsTable() {}

    /// Lay out a result.
    public static String of(OtherCosts costs) {
        return "\nat other costs: %s (%s)\nt(n): %s\n%s\n%s"
                .formatted(
                        costs.costs(),
                        costs.origin(),
                        curve(costs),
                        Columns.aligned(table(costs).shown()),
                        sentences(costs).stream().collect(Collectors.joining("\n", "", "\n")));
    }

    /// A row for each variant.
    public static Table table(OtherCosts costs) {
        return Table.of(COLUMNS, costs.variants());
    }

    /// Returns the definitions of the columns.
    public static List<Term> terms() {
        return COLUMNS.stream().map(Column::term).toList();
    }

    /// t(n) in words.
    public static String curve(OtherCosts costs) {
        return costs.curve().entrySet().stream()
                .map(point ->
                        String.format(
                                Locale.ROOT, "%d: %.2f ms", point.getKey(), point.getValue() / 1e6))
                .collect(Collectors.joining(", "));
    }

    /// Returns sentences about variants that change places, with the reason, and about doubtful numbers.
    public static List<String> sentences(OtherCosts costs) {
        var sentences =
                new ArrayList<>(
                        costs.changes().stream()
                                .limit(MAX_CHANGES)
                                .map(OrderChange::sentence)
                                .toList());
        if (costs.changes().isEmpty()) {
            sentences.add("The order is the same as at the costs of the run itself.");
        }
        if (costs.changes().size() > MAX_CHANGES) {
            sentences.add(
                    "%d more pairs change places.".formatted(costs.changes().size() - MAX_CHANGES));
        }
        sentences.addAll(costs.notes());
        return sentences;
    }

    private static Value speedup(PricedVariant variant, Ratio ratio) {
        return variant.plain() ? new Value.Words("1") : new Value.Factor(ratio, 2);
    }
}
