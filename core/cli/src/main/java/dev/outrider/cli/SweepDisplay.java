package dev.outrider.cli;

import dev.outrider.common.Ticker;
import dev.outrider.experiment.sweep.CellRunner.CellOutcome;
import dev.outrider.experiment.sweep.CellRunner.SweepListener;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import java.io.PrintStream;

/// A line for every cell that ends, with the time that is left. Also for cells that end in other processes.
final class SweepDisplay implements SweepListener {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int MINUTE = 60;
    private static final int HOUR = 3600;

    private final PrintStream out;
    private final Ticker ticker;
    private final int cells;
    private final long start;
    private int over;
    private int ranHere;

    /// @param cells of the whole plan
    SweepDisplay(PrintStream out, Ticker ticker, int cells) {
        this.out = out;
        this.ticker = ticker;
        this.cells = cells;
        this.start = ticker.nanos();
    }

    /// Counts a cell that an earlier run has finished.
    void finishedBefore(PlannedCell cell) {
        over++;
        out.println(
                counted("cell %d %s: finished before".formatted(cell.index(), cell.describe())));
    }

    @Override
    public void ended(PlannedCell cell, CellOutcome outcome) {
        String what = line(cell, outcome);
        switch (outcome) {
            case CellOutcome.FinishedBefore _ -> finishedBefore(cell);
            case CellOutcome.Taken _, CellOutcome.Interrupted _ -> out.println(what);
            case CellOutcome.Finished _, CellOutcome.Failed _ -> ended(what);
        }
    }

    /// Shows a cell that has ended, here or in a separate process.
    synchronized void ended(String what) {
        over++;
        ranHere++;
        out.println(counted(what) + left());
    }

    private String counted(String what) {
        return "[%d/%d] %s".formatted(over, cells, what);
    }

    private String left() {
        int remaining = cells - over;
        if (remaining <= 0) {
            return "";
        }
        double each = (ticker.nanos() - start) / NANOS_PER_SECOND / ranHere;
        return "; about " + duration(each * remaining) + " left";
    }

    /// Returns the line about a cell that has ended.
    static String line(PlannedCell cell, CellOutcome outcome) {
        return "cell %d %s: %s".formatted(cell.index(), cell.describe(), describe(outcome));
    }

    private static String describe(CellOutcome outcome) {
        return switch (outcome) {
            case CellOutcome.Finished finished ->
                    "%s%s"
                            .formatted(
                                    duration(finished.record().seconds()),
                                    finished.variants().stream()
                                            .filter(variant -> !variant.plain())
                                            .map(variant ->
                                                    Console.format(
                                                            ", %s %.2fx",
                                                            variant.name(),
                                                            variant.speedup().value()))
                                            .reduce("", String::concat));
            case CellOutcome.FinishedBefore _ -> "finished before";
            case CellOutcome.Taken _ -> "another process is at it";
            case CellOutcome.Failed failed ->
                    "FAILED, " + failed.failure().message().strip().replaceAll("\\s*\\R\\s*", " ");
            case CellOutcome.Interrupted _ -> "interrupted; the next run begins it again";
        };
    }

    /// `41 s`, `6 min`, `2 h 10 min`.
    static String duration(double seconds) {
        long whole = Math.round(seconds);
        if (whole < 2 * MINUTE) {
            return whole + " s";
        }
        long minutes = Math.round(seconds / MINUTE);
        return whole < 2 * HOUR
                ? minutes + " min"
                : "%d h %d min".formatted(minutes / MINUTE, minutes % MINUTE);
    }
}
