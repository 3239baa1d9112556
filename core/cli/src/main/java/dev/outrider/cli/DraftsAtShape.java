package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.experiment.results.MeasuredDrafts;
import dev.outrider.nn.bench.BenchReport;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What the drafts of a finished comparison would gain with a target of another shape: a round that scores n rows breaks
/// even when it emits t(n)/t(1) tokens, because plain decoding emits one in t(1).
///
/// It takes the tokens a round as they were measured, and counts passes alone: what a drafter and the engine take
/// besides comes on top. Times are those of the best passes, which other programs disturb least.
///
/// @see "Leviathan et al. 2023, section 3.5, with a pass that grows with its rows"
record DraftsAtShape(List<MeasuredDrafts> drafts) {
    /// The numbers of rows to be timed, in order.
    List<Integer> rows() {
        var rows =
                drafts.stream()
                        .map(DraftsAtShape::wholeRows)
                        .collect(Collectors.toCollection(TreeSet::new));
        rows.add(1);
        return List.copyOf(rows);
    }

    /// One line for each variant.
    ///
    /// @param passes times of at least the [#rows()]
    String table(BenchReport passes) {
        var table = Columns.of("variant", "rows", "must emit", "emits", "speedup", "", "measured");
        for (var draft : drafts) {
            double needed = bestSeconds(passes, wholeRows(draft)) / bestSeconds(passes, 1);
            double speedup = draft.tokensPerRound() / needed;
            table.row(
                    draft.variant(),
                    Integer.toString(wholeRows(draft)),
                    number(needed),
                    number(draft.tokensPerRound()),
                    number(speedup) + "x",
                    speedup > 1 ? "pays" : "loses",
                    number(draft.speedup()) + "x");
        }
        return "\n"
                + table.text()
                + "rows, emits: a round's means in the comparison; must emit: t(rows)/t(1) at this shape, best passes; speedup: passes"
                + " alone; measured: in the comparison, whole rounds\n";
    }

    private static int wholeRows(MeasuredDrafts draft) {
        return Math.toIntExact(Math.round(draft.rows()));
    }

    private static double bestSeconds(BenchReport passes, int rows) {
        return passes.lines().stream()
                .filter(line -> line.rows() == rows)
                .mapToDouble(BenchReport.Line::bestSeconds)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("%d rows were not timed".formatted(rows)));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
