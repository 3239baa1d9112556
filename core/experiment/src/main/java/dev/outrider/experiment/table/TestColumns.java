package dev.outrider.experiment.table;

import dev.outrider.experiment.table.Table.Term;
import dev.outrider.experiment.table.Value.Count;
import dev.outrider.experiment.table.Value.Words;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.Evidence.DistributionTest;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/// The columns of the tests of a distribution.
public final class TestColumns {
    private TestColumns() {}

    /// The columns, in order.
    public static final List<Column<DistributionTest>> ALL =
            List.of(
                    Column.words("test", "test", "", DistributionTest::name),
                    Column.of("n", "n", "", "", test -> new Count(test.samples())),
                    Column.of("cells", "cells", "", "", test -> new Count(test.cells())),
                    shown(
                            "p",
                            "chi-square: probability of such a result if the output follows the target's distribution",
                            test -> number("%.2g", test.pValue())),
                    shown(
                            "w",
                            "effect (Cohen): root of sum (o - p)^2 / p, less what chance contributes [95 % interval]",
                            test ->
                                    "%s [%s, %s]"
                                            .formatted(
                                                    number("%.3f", test.effect()),
                                                    number("%.3f", test.effectLow()),
                                                    number("%.3f", test.effectHigh()))),
                    shown(
                            "TV",
                            "total variation distance on the cells is at most this, with 97.5 % confidence",
                            test -> number("%.3f", test.variationMost())),
                    shown(
                            "found",
                            "smallest w that would have been found with 90 % / 99 % probability",
                            test ->
                                    number("%.3f", test.found90())
                                            + " / "
                                            + number("%.3f", test.found99())),
                    Column.words(
                            "rejected", "", "", test -> test.rejected() ? Evidence.REJECTED : ""));

    private static final List<Term> TESTS =
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

    /// The tests of some evidence that tell anything apart.
    public static List<DistributionTest> telling(Evidence evidence) {
        return evidence.tests().stream().filter(test -> test.cells() > 1).toList();
    }

    /// The tests, and the columns whose headings do not say what they are.
    public static List<Term> terms() {
        return Stream.concat(
                        TESTS.stream(),
                        ALL.stream().map(Column::term).filter(term -> !term.definition().isEmpty()))
                .toList();
    }

    private static Term test(String name, String definition) {
        return new Term(name, name, "", definition);
    }

    private static Column<DistributionTest> shown(
            String heading, String definition, Function<DistributionTest, String> text) {
        return Column.of(heading, heading, "", definition, test -> new Words(text.apply(test)));
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
