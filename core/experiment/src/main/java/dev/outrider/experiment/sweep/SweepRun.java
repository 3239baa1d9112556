package dev.outrider.experiment.sweep;

import dev.outrider.experiment.sweep.CellRunner.CellOutcome;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Runs every cell of a plan that has no result and that no other process is running, in order. Confined to one thread.
public final class SweepRun {
    private final CellRunner runner;
    private final SweepListener listener;
    private final BooleanSupplier cancelled;

    /// @param cancelled asked before every cell
    public SweepRun(CellRunner runner, SweepListener listener, BooleanSupplier cancelled) {
        this.runner = runner;
        this.listener = listener;
        this.cancelled = cancelled;
    }

    /// The number of cells by outcome.
    ///
    /// @param finished now or before
    /// @param taken    other processes are at them
    /// @param failed   failed now
    public record Count(int finished, int taken, int failed) {}

    /// Run the cells. A cell that fails does not stop the others.
    ///
    /// @throws dev.outrider.spi.error.OutriderException RESULTS_NOT_WRITABLE, and what reading records of an earlier run throws
    public Count run(List<PlannedCell> cells) {
        int finished = 0;
        int taken = 0;
        int failed = 0;
        for (PlannedCell cell : cells) {
            if (cancelled.getAsBoolean()) {
                break;
            }
            listener.starting(cell);
            CellOutcome outcome = runner.run(cell);
            switch (outcome) {
                case CellOutcome.Finished _, CellOutcome.FinishedBefore _ -> finished++;
                case CellOutcome.Taken _ -> taken++;
                case CellOutcome.Failed _ -> failed++;
                case CellOutcome.Interrupted _ -> {}
            }
            listener.ended(cell, outcome);
        }
        return new Count(finished, taken, failed);
    }

    /// Follows a sweep cell by cell. Called on the running thread.
    public interface SweepListener {
        /// A cell comes up; it may turn out to be finished or taken.
        default void starting(PlannedCell cell) {}

        /// A cell is over.
        void ended(PlannedCell cell, CellOutcome outcome);
    }
}
