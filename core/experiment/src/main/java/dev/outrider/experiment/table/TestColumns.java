package dev.outrider.experiment.table;

import dev.outrider.experiment.table.Table.Term;
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
                    Column.words("test", DistributionTest::name),
                    shown("n", test -> Long.toString(test.samples())),
                    shown("cells", test -> Integer.toString(test.cells())),
                    shown("p", test -> Value.significant(test.pValue(), 2)),
                    shown("w", TestColumns::effects),
                    shown("TV", test -> effect(test.variationMost())),
                    shown("found", test -> effect(test.found90()) + " / " + effect(test.found99())),
                    Column.words("rejected", TestColumns::rejected).called(""));

    private static final List<Term> TESTS =
            List.of(
                    Term.of("test", "first tokens"),
                    Term.of("test", "all by p"),
                    Term.of("test", "firsts by draft"),
                    Term.of("test", "pairs of firsts"));

    /// A test with its labels, which are the columns in front of its numbers.
    public record Labelled(List<String> labels, DistributionTest test) {}

    /// Returns the tests of some evidence that have at least two cells, as rows.
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
            columns.add(Column.words(heads[i], row -> row.labels().get(label)));
        }
        ALL.forEach(column -> columns.add(column.of(Labelled::test)));
        return Table.of(columns, rows).shown();
    }

    /// Returns the tests of some evidence that have at least two cells.
    private static List<DistributionTest> telling(Evidence evidence) {
        return evidence.tests().stream().filter(test -> test.cells() > 1).toList();
    }

    /// Returns the terms of the tests, and of the columns whose headings do not explain themselves.
    public static List<Term> terms() {
        return Stream.concat(
                        TESTS.stream(),
                        ALL.stream().map(Column::term).filter(term -> !term.definition().isEmpty()))
                .toList();
    }

    private static Column<DistributionTest> shown(
            String heading, Function<DistributionTest, String> text) {
        return Column.words(heading, text).explained("test");
    }

    private static String effects(DistributionTest test) {
        return "%s [%s, %s]"
                .formatted(
                        effect(test.effect()), effect(test.effectLow()), effect(test.effectHigh()));
    }

    private static String rejected(DistributionTest test) {
        return test.rejected() ? Evidence.REJECTED : "";
    }

    private static String effect(double size) {
        return Value.decimal(size, 3);
    }
}
