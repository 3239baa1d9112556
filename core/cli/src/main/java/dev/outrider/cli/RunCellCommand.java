package dev.outrider.cli;

import dev.outrider.experiment.sweep.CellRunner.CellOutcome;
import dev.outrider.experiment.sweep.CellRunner.SweepListener;
import dev.outrider.experiment.sweep.SweepFolder;
import dev.outrider.experiment.sweep.SweepPlan;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider run-cell`: one experiment of a sweep, wherever its plan lies.
@Command(
        name = "run-cell",
        description = {
            "Runs one cell of a sweep's plan, or every cell that nobody has run.",
            "",
            "The contract between a sweep and whatever schedules it: the plan holds every cell as a whole configuration,"
                    + " and results go beside it. A cell that is finished is skipped, one that another process is"
                    + " running is left to it, so that any number of processes may run the same plan.",
            "",
            "Prints a line for each cell it ran. 'outrider sweep CONFIG --merge' puts the results together."
        },
        footer = {
            "  outrider run-cell --plan results/sweep-temperature/plan.json --index 7",
            "  outrider run-cell --plan results/sweep-temperature/plan.json --index 7 --wait",
            "  outrider run-cell --plan results/sweep-temperature/plan.json      every cell that is left"
        })
final class RunCellCommand implements Callable<Integer> {
    private static final int POLL_MILLIS = 500;

    private final CommandContext context;

    @Option(
            names = "--plan",
            paramLabel = "FILE",
            required = true,
            description = "plan.json, which 'outrider sweep' wrote.")
    private Path plan = Path.of("");

    @Option(
            names = "--index",
            paramLabel = "N",
            description = "Number of the cell, from 0 (default: every cell that nobody has run).")
    private Optional<Integer> index = Optional.empty();

    @Option(
            names = "--wait",
            description =
                    "Where another process is running a cell, wait until that has ended and look again.")
    private boolean wait;

    @Option(
            names = "--check",
            description = "Check every draft and verdict against its contract; slows down.")
    private boolean check;

    RunCellCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var sweep = SweepPlan.read(plan);
        List<PlannedCell> cells =
                index.map(number -> List.of(sweep.cell(number))).orElse(sweep.cells());
        var folder =
                new SweepFolder(
                        Optional.ofNullable(plan.toAbsolutePath().getParent()).orElse(Path.of("")));
        context.fetch(cells.stream().map(cell -> context.cell(cell, folder).effective()).toList());
        var count = context.run(sweep, cells, folder, check, lines());
        if (wait && count.taken() > 0) {
            context.err()
                    .println(
                            "%d of %d cells are run by other processes; waiting for them"
                                    .formatted(count.taken(), cells.size()));
        }
        while (wait && count.taken() > 0 && !context.interruption().requested()) {
            pause();
            count = context.run(sweep, cells, folder, check, lines());
        }
        if (context.interruption().requested()) {
            return ExitCode.INTERRUPTED;
        }
        if (index.isPresent() && count.taken() > 0) {
            throw new OutriderException(
                    ErrorCode.RESULTS_NOT_WRITABLE,
                    "another process is running cell %d".formatted(index.get()),
                    "Wait until it has ended, or use --wait.");
        }
        return count.failed() > 0 ? ExitCode.CELLS_FAILED : ExitCode.OK;
    }

    /// Waits between two looks: a blocking wait for a lock would not end on Ctrl-C.
    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutriderException(
                    ErrorCode.IO_FAILED,
                    "the wait for another process was broken off",
                    "Run the same command again.",
                    e);
        }
    }

    private SweepListener lines() {
        return (cell, outcome) -> {
            boolean here = !(outcome instanceof CellOutcome.FinishedBefore) || index.isPresent();
            if (here && !(outcome instanceof CellOutcome.Taken)) {
                context.out().println(SweepDisplay.line(cell, outcome));
            }
        };
    }
}
