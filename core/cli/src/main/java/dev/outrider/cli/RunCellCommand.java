package dev.outrider.cli;

import dev.outrider.experiment.sweep.CellRunner.CellOutcome;
import dev.outrider.experiment.sweep.CellRunner.SweepListener;
import dev.outrider.experiment.sweep.SweepFolder;
import dev.outrider.experiment.sweep.SweepPlan;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import dev.outrider.spi.error.ErrorCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider run-cell`: one experiment of a sweep, for any place of its plan.
@Command(name = "run-cell")
final class RunCellCommand extends Subcommand {
    private static final long POLL_NANOS = 500_000_000;

    @Option(names = "--plan", paramLabel = "FILE", required = true)
    private Path plan = Path.of("");

    @Option(names = "--index", paramLabel = "N")
    private Optional<Integer> index = Optional.empty();

    @Option(names = "--wait")
    private boolean wait;

    @Option(names = "--check")
    private boolean check;

    @Override
    public Integer call() {
        var sweep = SweepPlan.read(plan);
        List<PlannedCell> cells =
                index.map(number -> List.of(sweep.cell(number))).orElse(sweep.cells());
        var folder =
                new SweepFolder(
                        Optional.ofNullable(plan.toAbsolutePath().getParent()).orElse(Path.of("")));
        context()
                .fetch(
                        cells.stream()
                                .map(cell -> context().cell(cell, folder).effective())
                                .toList());
        var count = context().run(sweep, cells, folder, check, lines());
        if (wait && count.taken() > 0) {
            err().println(
                            "%d of %d cells are run by other processes; waiting for them"
                                    .formatted(count.taken(), cells.size()));
        }
        while (wait
                && count.taken() > 0
                && !context().interruption().requested()
                && !Thread.currentThread().isInterrupted()) {
            pause();
            count = context().run(sweep, cells, folder, check, lines());
        }
        if (context().interruption().requested()) {
            return ExitCode.INTERRUPTED;
        }
        if (index.isPresent() && count.taken() > 0) {
            throw ErrorCode.RESULTS_NOT_WRITABLE.error(
                    "another process is running cell %d".formatted(index.get()),
                    "Wait until it has ended, or use --wait.");
        }
        return count.failed() > 0 ? ExitCode.CELLS_FAILED : ExitCode.OK;
    }

    /// Waits between two attempts: a blocking wait for a lock would not end on Ctrl-C.
    private static void pause() {
        LockSupport.parkNanos(POLL_NANOS);
    }

    private SweepListener lines() {
        return (cell, outcome) -> {
            boolean here = !(outcome instanceof CellOutcome.FinishedBefore) || index.isPresent();
            if (here && !(outcome instanceof CellOutcome.Taken)) {
                out().println(SweepDisplay.line(cell, outcome));
            }
        };
    }
}
