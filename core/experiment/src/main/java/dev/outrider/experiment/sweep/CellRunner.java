package dev.outrider.experiment.sweep;

import dev.outrider.config.ConfigLoader;
import dev.outrider.config.Loaded;
import dev.outrider.experiment.bench.Bench;
import dev.outrider.experiment.bench.Host;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Runs cells of a plan, each of them once, even if several processes run the same plan. Confined to one thread.
///
/// @param folder  of the sweep, with the plan and the results
/// @param checked whether every draft and verdict is checked against its contract
public record CellRunner(
        SweepPlan plan,
        SweepFolder folder,
        ConfigLoader loader,
        Bench bench,
        Host host,
        boolean checked) {
    private static final double NANOS_PER_SECOND = 1e9;

    /// The number of cells by outcome.
    ///
    /// @param finished now or before
    /// @param taken    cells that other processes run
    /// @param failed   failed now
    public record Count(int finished, int taken, int failed) {}

    /// Follows a sweep cell by cell. Called on the running thread.
    public interface SweepListener {
        /// A cell is next; it may already be finished or taken.
        default void starting(PlannedCell cell) {}

        /// A cell is over.
        void ended(PlannedCell cell, CellOutcome outcome);
    }

    /// Runs every cell that has no result and that no other process is running, in order. A cell that fails does not stop the others.
    ///
    /// @param cancelled asked before every cell
    /// @throws OutriderException RESULTS_NOT_WRITABLE, and what reading records of an earlier run throws
    public Count run(List<PlannedCell> cells, SweepListener listener, BooleanSupplier cancelled) {
        int finished = 0;
        int taken = 0;
        int failed = 0;
        for (PlannedCell cell : cells) {
            if (cancelled.getAsBoolean()) {
                break;
            }
            listener.starting(cell);
            CellOutcome outcome = run(cell);
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

    /// Runs a cell, unless it is finished or another process runs it. A failure of the cell is an outcome.
    ///
    /// @throws OutriderException RESULTS_NOT_WRITABLE, DATA_INVALID if a record of an earlier run is damaged
    public CellOutcome run(PlannedCell cell) {
        if (folder.finished(cell.id()).isPresent()) {
            return new CellOutcome.FinishedBefore();
        }
        var claim = folder.claim(cell.id());
        if (claim.isEmpty()) {
            return new CellOutcome.Taken();
        }
        try (var _ = claim.get()) {
            // The process that held it may have finished it since the first check.
            return folder.finished(cell.id()).isPresent()
                    ? new CellOutcome.FinishedBefore()
                    : attempt(cell);
        } catch (IOException e) {
            throw folder.noClaim(cell.id(), e);
        }
    }

    private CellOutcome attempt(PlannedCell cell) {
        folder.forgetFailure(cell.id());
        long start = host.ticker().nanos();
        try {
            var outcome = bench.run(request(cell));
            if (outcome.isEmpty() || outcome.get().report().coverage().interrupted()) {
                return new CellOutcome.Interrupted();
            }
            double seconds = (host.ticker().nanos() - start) / NANOS_PER_SECOND;
            var record = CellRecord.of(cell, plan, host, seconds);
            folder.write(record);
            return new CellOutcome.Finished(record, outcome.get().report().rows());
        } catch (OutriderException e) {
            return failed(cell, e.code().name(), e);
        } catch (OutOfMemoryError e) {
            return failed(cell, ErrorCode.OUT_OF_MEMORY.name(), e);
        } catch (RuntimeException e) {
            return failed(cell, "INTERNAL", e);
        }
    }

    private CellOutcome failed(PlannedCell cell, String code, Throwable failed) {
        var failure = CellRecord.CellFailure.of(cell, plan, code, failed);
        folder.write(failure);
        return new CellOutcome.Failed(failure);
    }

    private Bench.Request request(PlannedCell cell) {
        return new Bench.Request(
                load(loader, cell, folder),
                cell.configHash(),
                () -> folder.cell(cell.id()),
                checked,
                Optional.empty(),
                false);
    }

    /// The configuration of a cell, its paths relative to the plan.
    public static Loaded<ExperimentConfig> load(
            ConfigLoader loader, PlannedCell cell, SweepFolder folder) {
        return loader.parse(
                cell.config().toString(),
                "cell %d of plan.json".formatted(cell.index()),
                folder.root().toAbsolutePath(),
                ExperimentConfig.class,
                List.of());
    }

    /// The outcome of one cell.
    public sealed interface CellOutcome {
        /// It was run to its end.
        record Finished(CellRecord record, List<VariantResult> variants) implements CellOutcome {}

        /// It had been finished before.
        record FinishedBefore() implements CellOutcome {}

        /// Another process runs it.
        record Taken() implements CellOutcome {}

        /// It failed.
        record Failed(CellRecord.CellFailure failure) implements CellOutcome {}

        /// It was cancelled before its end; the next run starts it again.
        record Interrupted() implements CellOutcome {}
    }
}
