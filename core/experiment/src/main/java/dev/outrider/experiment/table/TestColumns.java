package dev.outrider.experiment.table;

import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.Evidence.DistributionTest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// The columns of the tests of a distribution.
public final class TestColumns {
    private TestColumns() {}

    /// The columns, in order.
    public static final List<Column<DistributionTest>> ALL =
            List.of(
                    Column.words("test", "test", DistributionTest::name),
                    Column.<DistributionTest>of("n", "n", test -> Value.count(test.samples()))
                            .meaning("independent samples"),
                    Column.<DistributionTest>of("cells", "cells", test -> Value.count(test.cells()))
                            .meaning(
                                    "groups that the samples were counted in; rare ones share one"),
                    shown("p", test -> Value.significant(test.pValue(), 2))
                            .meaning(
                                    "chi-square: probability of such a result if the output follows the target's distribution"),
                    shown(
                                    "w",
                                    test ->
                                            "%s [%s, %s]"
                                                    .formatted(
                                                            effect(test.effect()),
                                                            effect(test.effectLow()),
                                                            effect(test.effectHigh())))
                            .meaning(
                                    "effect (Cohen): root of sum (o - p)^2 / p, less what chance contributes [95 % interval]"),
                    shown("TV", test -> effect(test.variationMost()))
                            .meaning(
                                    "total variation distance on the cells is at most this, with 97.5 % confidence"),
                    shown("found", test -> effect(test.found90()) + " / " + effect(test.found99()))
                            .meaning(
                                    "smallest w that would have been found with 90 % / 99 % probability"),
                    Column.words("rejected", "", test -> test.rejected() ? Evidence.REJECTED : ""));

    private static final List<Table.Term> TESTS =
            List.of(
                    test(
                            "first tokens",
                            "joint distribution of the first tokens after one prompt, known exactly from the target, against as many"
                                    + " generations; the tokens span the border of rounds"),
                    test(
                            "all by p",
                            "every token of long generations against the distribution at its own place: its quantile, tokens taken in order"
                                    + " of probability, must be uniform"),
                    test(
                            "firsts by draft",
                            "the same for first tokens of rounds, in order of p / q of the drafter's distribution q"),
                    test(
                            "pairs of firsts",
                            "quantiles of the first tokens of consecutive rounds, which must be independent"));

    /// A test with what is said of it in the columns before.
    public record Labelled(List<String> labels, DistributionTest test) {}

    /// Returns the tests of some evidence that tell anything apart, as rows.
    ///
    /// @param labels of each of them
    public static List<Labelled> rows(Evidence evidence, List<String> labels) {
        return telling(evidence).stream().map(test -> new Labelled(labels, test)).toList();
    }

    /// Returns a table, its head first.
    ///
    /// @param heads of the labels
    public static List<List<String>> table(List<Labelled> rows, String... heads) {
        var columns = new ArrayList<Column<Labelled>>();
        for (int i = 0; i < heads.length; i++) {
            int label = i;
            columns.add(Column.words(heads[i], heads[i], row -> row.labels().get(label)));
        }
        ALL.forEach(column -> columns.add(column.of(Labelled::test)));
        return Table.of(columns, rows).shown();
    }

    /// The tests of some evidence that tell anything apart.
    private static List<DistributionTest> telling(Evidence evidence) {
        return evidence.tests().stream().filter(test -> test.cells() > 1).toList();
    }

    /// The tests, and the columns whose headings do not say what they are.
    public static List<Table.Term> terms() {
        return Stream.concat(
                        TESTS.stream(),
                        ALL.stream().map(Column::term).filter(term -> !term.definition().isEmpty()))
                .toList();
    }

    private static Table.Term test(String name, String definition) {
        return new Table.Term(name, name, "", definition);
    }

    private static Column<DistributionTest> shown(
            String heading, Function<DistributionTest, String> text) {
        return Column.words(heading, heading, text);
    }

    private static String effect(double size) {
        return Value.decimal(size, 3);
    }
}
