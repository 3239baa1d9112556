package dev.outrider.experiment.sweep;

import dev.outrider.experiment.stats.SideResult;
import java.util.List;

/// What came of one cell.
public sealed interface CellOutcome {
    /// It was run to its end.
    record Finished(CellRecord record, List<SideResult> variants) implements CellOutcome {
        public Finished {
            variants = List.copyOf(variants);
        }
    }

    /// It had been finished before.
    record FinishedBefore() implements CellOutcome {}

    /// Another process is at it.
    record Taken() implements CellOutcome {}

    /// It failed.
    record Failed(CellFailure failure) implements CellOutcome {}

    /// It was cancelled before its end; the next run begins it again.
    record Interrupted() implements CellOutcome {}
}
