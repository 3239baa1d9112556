package dev.outrider.experiment.costs;

import dev.outrider.common.Columns;
import dev.outrider.experiment.costs.OtherCosts.PricedVariant;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The results at other costs as a text for people.
public final class OtherCostsTable {
    private static final int MAX_CHANGES = 8;

    private static final List<Column<PricedVariant>> COLUMNS =
            Stream.<Column<PricedVariant>>of(
                            Column.words("variant", PricedVariant::variant),
                            Column.number("tokensPerRound", 2, PricedVariant::tokensPerRound),
                            Column.of("here", each -> speedup(each, each.here())),
                            Column.of("there", each -> speedup(each, each.there())),
                            Column.words("pays", PricedVariant::pays),
                            Column.number("ranking.probabilityBest", 3, Ranking::probabilityBest)
                                    .of(PricedVariant::ranking),
                            Column.<Ranking>words("ranking.verdict", each -> each.verdict().shown())
                                    .of(PricedVariant::ranking),
                            Column.number("draft", 3, PricedVariant::draft),
                            Column.number("pass", 3, PricedVariant::pass),
                            Column.number("engine", 3, PricedVariant::engine),
                            Column.words("draftOrigin", PricedVariant::draftOrigin))
                    .map(column -> column.explained("costs"))
                    .toList();

    private OtherCostsTable() {}

    /// Lays out a result.
    public static String of(OtherCosts costs) {
        return "\nat other costs: %s (%s)\nt(n): %s\n%s\n%s"
                .formatted(
                        costs.costs(),
                        costs.origin(),
                        curve(costs),
                        Columns.aligned(table(costs).shown()),
                        sentences(costs).stream().collect(Collectors.joining("\n", "", "\n")));
    }

    /// Returns the name of the costs and t(n).
    public static String heading(OtherCosts costs) {
        return "%s (%s). t(n): %s".formatted(costs.costs(), costs.origin(), curve(costs));
    }

    /// A row for each variant.
    public static Table table(OtherCosts costs) {
        return Table.of(COLUMNS, costs.variants());
    }

    /// Returns the definitions of the columns.
    public static List<Table.Term> terms() {
        return COLUMNS.stream().map(Column::term).toList();
    }

    /// Returns t(n) in words.
    private static String curve(OtherCosts costs) {
        return costs.curve().entrySet().stream()
                .map(point ->
                        "%d: %s ms"
                                .formatted(
                                        point.getKey(), Value.decimal(point.getValue() / 1e6, 2)))
                .collect(Collectors.joining(", "));
    }

    /// Returns sentences about variants whose order changes, with the reason, and about doubtful numbers.
    public static List<String> sentences(OtherCosts costs) {
        var sentences = new ArrayList<String>();
        costs.changes().stream()
                .limit(MAX_CHANGES)
                .forEach(change -> sentences.add(change.sentence()));
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

    private static Value speedup(PricedVariant variant, Interval speedup) {
        return variant.plain() ? Value.words("1") : Value.ratio(speedup, 2);
    }
}
