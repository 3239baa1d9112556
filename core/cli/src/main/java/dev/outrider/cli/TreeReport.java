package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.engine.model.PositionalAcceptance;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.tree.TreeOptimiser.OptimisedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What `outrider tree optimise` says about its measurements and its tree.
final class TreeReport {
    private static final double NANOS_PER_MILLISECOND = 1e6;

    private TreeReport() {}

    /// Measurements, the tree and what it lets expect.
    static String of(OptimisedTree found) {
        var text = new StringBuilder();
        var counts = found.counts();
        text.append(
                "Acceptance by rank, rule %s, %d nodes\n"
                        .formatted(found.rule(), counts.visited()));
        var heading = new ArrayList<>(List.of("below", "nodes"));
        for (int rank = 0; rank < counts.acceptance().ranks(); rank++) {
            heading.add("rank " + rank);
        }
        heading.add("none");
        var table = Columns.of(heading.toArray(String[]::new));
        for (int depth = 0; depth < counts.depths(); depth++) {
            rates(
                    table,
                    depth == 0 ? "root" : "depth " + depth,
                    counts.visited(depth),
                    counts.acceptance(depth));
        }
        rates(table, "all", counts.visited(), counts.acceptance());
        text.append(table.text()).append('\n');
        var cost = found.cost();
        text.append(
                "Drafting costs %s ms a level and %s ms a node; the rest of a round, by rows of the pass:\n"
                        .formatted(
                                number(cost.draftPerLevel() / NANOS_PER_MILLISECOND),
                                number(cost.draftPerNode() / NANOS_PER_MILLISECOND)));
        var times = Columns.of("rows", "ms", "t(n)/t(1)");
        cost.byRows()
                .forEach((rows, nanos) ->
                        times.row(
                                Integer.toString(rows),
                                number(nanos / NANOS_PER_MILLISECOND),
                                number(nanos / cost.plain())));
        text.append(times.text()).append('\n');
        text.append(TreeDrawing.of(found.file()));
        if (found.speedup() < 1) {
            text.append(
                    "Drafting does not pay here: plain decoding should be faster than any tree.\n");
        }
        return text.toString();
    }

    /// Expected beside measured numbers of the check.
    static String check(OptimisedTree found, Report report) {
        var table = Columns.of("optimised tree", "expected", "measured");
        for (var side : report.sides()) {
            if (side.name().equals(OptimisedTree.NAME)) {
                var metrics = side.counts();
                double decided = 1 + (double) metrics.accepted() / metrics.rounds();
                table.row("tokens decided a round", number(found.tree().tokens()), number(decided));
                table.row(
                        "speedup",
                        number(found.speedup()) + "x",
                        number(side.speedup().median())
                                + "x "
                                + side.speedup().bounds(TreeReport::number));
            }
        }
        return "\n" + table.text();
    }

    private static void rates(
            Columns table, String below, long nodes, PositionalAcceptance acceptance) {
        var cells = new ArrayList<>(List.of(below, Long.toString(nodes)));
        double sum = 0;
        for (double rate : acceptance.rates()) {
            cells.add(number(rate));
            sum += rate;
        }
        cells.add(number(1 - sum));
        table.row(cells.toArray(String[]::new));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
