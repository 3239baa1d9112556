package dev.outrider.experiment.report;

import dev.outrider.common.Columns;
import dev.outrider.experiment.stats.Earnings;
import dev.outrider.experiment.stats.SideResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What each drafter earned of a variant that several drafters draft for.
public final class EarningsTable {
    private EarningsTable() {}

    /// The table as a person reads it; nothing where every drafter drafts alone.
    static String of(Report report) {
        var rows = rows(report.sides());
        return rows.isEmpty() ? "" : "\nwho earned what, per round\n" + Columns.aligned(rows);
    }

    /// A heading and a line for each drafter of each such variant; nothing where every drafter drafts alone.
    public static List<List<String>> rows(List<SideResult> sides) {
        List<List<String>> rows = new ArrayList<>();
        for (SideResult side : sides) {
            side.drafters().forEach(each -> rows.add(row(side, each)));
        }
        if (!rows.isEmpty()) {
            rows.addFirst(
                    List.of(
                            "variant",
                            "drafter",
                            "rounds",
                            "nodes",
                            "accepted",
                            "alone",
                            "a node"));
        }
        return rows;
    }

    private static List<String> row(SideResult side, Earnings each) {
        long rounds = Math.max(1, side.counts().rounds());
        return List.of(
                side.name(),
                each.drafter(),
                String.format(Locale.ROOT, "%.0f%%", 100.0 * each.proposals() / rounds),
                perRound(each.nodes(), rounds),
                perRound(each.accepted(), rounds),
                perRound(each.alone(), rounds),
                perRound(each.accepted(), Math.max(1, each.nodes())));
    }

    private static String perRound(long count, long rounds) {
        return String.format(Locale.ROOT, "%.2f", (double) count / rounds);
    }
}
