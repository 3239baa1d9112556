package dev.outrider.experiment.sweep;

import dev.outrider.common.Columns;
import dev.outrider.experiment.sweep.SweepVerification.VerifiedCell;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Value;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.Verification.Verified;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The verification of a sweep as a person reads it: a line for each variant of each cell.
public final class SweepVerificationTable {
    private static final String NOTHING = "-";

    private SweepVerificationTable() {}

    /// The table.
    ///
    /// @param planned cells there are
    /// @param alpha   false-alarm rate of the whole run
    public static String of(
            List<SweepPlan.Axis> axes, List<VerifiedCell> cells, int planned, double alpha) {
        List<Row> rows =
                cells.stream()
                        .flatMap(cell -> cell.variants().stream().map(each -> new Row(cell, each)))
                        .toList();
        return Columns.aligned(Table.of(columns(axes), rows).shown())
                + "\n%d combinations in %d of %d cells: %d not rejected, %d REJECTED, %d inconclusive.\n"
                        .formatted(
                                rows.size(),
                                cells.size(),
                                planned,
                                count(rows, Evidence.NOT_REJECTED),
                                count(rows, Evidence.REJECTED),
                                count(rows, Evidence.INCONCLUSIVE))
                + "All tests together raise a false alarm with probability %s at most. 'found' is the smallest effect (Cohen's w) that would have been found with 90 %% probability.\n"
                        .formatted(Value.significant(alpha, 2));
    }

    /// Whether any combination is refuted.
    public static boolean rejected(List<VerifiedCell> cells) {
        return cells.stream()
                .flatMap(cell -> cell.variants().stream())
                .anyMatch(variant -> variant.evidence().rejected());
    }

    private record Row(VerifiedCell cell, Verified variant) {
        Evidence evidence() {
            return variant.evidence();
        }
    }

    private static List<Column<Row>> columns(List<SweepPlan.Axis> axes) {
        List<Column<Row>> columns = new ArrayList<>();
        axes.forEach(axis -> columns.add(axis.column(row -> row.cell().labels())));
        columns.add(words("variant", row -> row.variant().variant()));
        columns.add(words("drafter", row -> row.variant().drafter()));
        columns.add(words("rule", row -> row.variant().rule()));
        columns.add(words("verdict", row -> row.evidence().verdict()));
        columns.add(words("ids equal", row -> idsEqual(row.evidence())));
        columns.add(tested("n", tests -> Long.toString(tests.observations())));
        columns.add(tested("p", tests -> Value.significant(tests.smallestP(), 2)));
        columns.add(tested("found", tests -> Value.decimal(found(tests), 3)));
        columns.add(
                tested(
                        "across rounds",
                        tests -> Value.decimal(100 * tests.acrossRounds(), 0) + " %"));
        return columns;
    }

    private static Column<Row> words(String heading, Function<Row, String> text) {
        return Column.words(heading, heading, text);
    }

    /// Temperature 0 has no tests of a distribution.
    private static Column<Row> tested(String heading, Function<Evidence, String> text) {
        return words(
                heading,
                row -> row.evidence().tests().isEmpty() ? NOTHING : text.apply(row.evidence()));
    }

    /// Prompts whose argmax ids are plain decoding's, of those compared.
    private static String idsEqual(Evidence evidence) {
        return evidence.greedy()
                .map(ids -> "%d/%d".formatted(ids.equal(), ids.prompts()))
                .orElse(NOTHING);
    }

    /// Of the tests that decide whether enough was seen.
    private static double found(Evidence evidence) {
        return evidence.tests().stream()
                .limit(2)
                .mapToDouble(Evidence.DistributionTest::found90)
                .max()
                .orElse(0);
    }

    private static long count(List<Row> rows, String verdict) {
        return rows.stream().filter(row -> row.evidence().verdict().equals(verdict)).count();
    }
}
