package dev.outrider.experiment.sweep;

/// Follows a sweep cell by cell. Called on the running thread.
public interface SweepListener {
    /// A cell comes up; it may turn out to be finished or taken.
    default void starting(PlannedCell cell) {}

    /// A cell is over.
    void ended(PlannedCell cell, CellOutcome outcome);
}
