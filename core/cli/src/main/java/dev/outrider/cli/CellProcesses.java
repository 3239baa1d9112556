package dev.outrider.cli;

import dev.outrider.common.Ticker;
import dev.outrider.experiment.sweep.CellRunner.CellOutcome;
import dev.outrider.experiment.sweep.SweepFolder;
import dev.outrider.experiment.sweep.SweepPlan;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Runs the cells of a plan, each in a separate process. A cell whose process takes too long is stopped, even if it hangs. It
/// counts as failed, as does a cell whose process ends before the cell, and the others continue.
///
/// @param folder    of the sweep, with `plan`
/// @param lines     receives a line for every cell that ends; may be called by several threads
/// @param cancelled once it is true the processes are asked to stop
record CellProcesses(
        SweepPlan plan,
        SweepFolder folder,
        Start how,
        Ticker ticker,
        Consumer<String> lines,
        BooleanSupplier cancelled) {
    private static final int POLL_MILLIS = 200;
    private static final Set<Integer> CELL_IS_OVER =
            Set.of(ExitCode.OK, ExitCode.CELLS_FAILED, ExitCode.INTERRUPTED);

    /// The command line of a process and its time limit.
    ///
    /// @param outrider command line before Outrider's own arguments
    /// @param options  further options of `run-cell`
    /// @param limit    longest time for a process, its start included
    record Start(List<String> outrider, List<String> options, Optional<Duration> limit) {
        Start {
            outrider = List.copyOf(outrider);
            options = List.copyOf(options);
        }
    }

    /// Returns the command line that starts another process like this one.
    static List<String> likeThisOne() {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        return command;
    }

    /// Runs every cell that is not finished.
    ///
    /// @param count most processes at a time
    /// @throws OutriderException IO_FAILED if a process cannot be started
    void run(int count) {
        try (var pool = Executors.newFixedThreadPool(count)) {
            var ends =
                    plan.cells().stream().map(cell -> pool.submit(() -> run(cell), true)).toList();
            try {
                for (var end : ends) {
                    end.get();
                }
            } catch (ExecutionException e) {
                pool.shutdownNow();
                throw e.getCause() instanceof OutriderException known
                        ? known
                        : new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                pool.shutdownNow();
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run(PlannedCell cell) {
        if (cancelled.getAsBoolean() || folder.finished(cell.id()).isPresent()) {
            return;
        }
        long start = ticker.nanos();
        var process = start(cell);
        try {
            var reader = Thread.ofVirtual().start(() -> relay(process));
            boolean late = false;
            while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (cancelled.getAsBoolean()) {
                    process.destroy();
                } else if (isLate(start)) {
                    late = true;
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly();
                }
            }
            reader.join();
            if (late) {
                failed(cell, tooLong(cell));
            } else if (!CELL_IS_OVER.contains(process.exitValue()) && !cancelled.getAsBoolean()) {
                failed(cell, ended(cell, process.exitValue()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }

    private boolean isLate(long start) {
        return how.limit().isPresent() && ticker.nanos() - start > how.limit().get().toNanos();
    }

    private OutriderException tooLong(PlannedCell cell) {
        double seconds = how.limit().orElseThrow().toMillis() / 1e3;
        return ErrorCode.CELL_STOPPED.error(
                "cell %d took longer than %s, so that its process was ended"
                        .formatted(cell.index(), SweepDisplay.duration(seconds)),
                "Raise --cell-limit if the cell is only slow. If it hangs, '%s' shows where: ask for its threads with jstack."
                        .formatted(alone(cell)));
    }

    private OutriderException ended(PlannedCell cell, int exitCode) {
        return ErrorCode.CELL_STOPPED.error(
                "the process of cell %d ended with exit code %d before the cell did"
                        .formatted(cell.index(), exitCode),
                "See what it wrote to the standard error, or run '%s'.".formatted(alone(cell)));
    }

    private String alone(PlannedCell cell) {
        return "outrider run-cell --plan %s --index %d".formatted(folder.plan(), cell.index());
    }

    private void failed(PlannedCell cell, OutriderException why) {
        folder.noteStopped(plan, cell, why)
                .ifPresent(failure ->
                        lines.accept(SweepDisplay.line(cell, new CellOutcome.Failed(failure))));
    }

    private Process start(PlannedCell cell) {
        var command = new ArrayList<>(how.outrider());
        command.addAll(List.of("run-cell", "--plan", folder.plan().toString()));
        command.addAll(List.of("--index", String.valueOf(cell.index())));
        command.addAll(how.options());
        try {
            return new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw ErrorCode.IO_FAILED.error(
                    "a process for cell %d cannot be started: %s".formatted(cell.index(), e),
                    "Run with --workers 1 and without --cell-limit.",
                    e);
        }
    }

    private void relay(Process process) {
        try (var reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().forEach(lines);
        } catch (IOException e) {
            lines.accept("the output of a cell's process cannot be read: " + e);
        }
    }
}
