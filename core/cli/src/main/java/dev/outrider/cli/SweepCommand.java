package dev.outrider.cli;

import dev.outrider.config.EffectiveConfig;
import dev.outrider.config.Loaded;
import dev.outrider.experiment.bench.BenchEstimate;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.Provenance.GitState;
import dev.outrider.experiment.sweep.SweepFolder;
import dev.outrider.experiment.sweep.SweepGridReader;
import dev.outrider.experiment.sweep.SweepGridReader.SweepGrid;
import dev.outrider.experiment.sweep.SweepMerge;
import dev.outrider.experiment.sweep.SweepMerge.SweepSummary;
import dev.outrider.experiment.sweep.SweepPlan;
import dev.outrider.experiment.sweep.SweepTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command `outrider sweep`: every combination of a configuration's axes.
@Command(
        name = "sweep",
        description = {
            "Runs an experiment for every combination of lists of settings.",
            "",
            "The configuration is that of 'outrider bench' with one more key, 'sweep': 'axes' lists values of any key,"
                    + " spelled as after --set, and 'exclude' leaves combinations out. Every combination is a cell, a"
                    + " comparison of its own with plain decoding in it. Combinations that are lossy or cannot work are"
                    + " refused and reported.",
            "",
            "Results are kept cell by cell in results/<name>/cells/. Whatever ends the program, run the same command"
                    + " again: finished cells stay, unfinished ones begin anew, failed ones are tried again. The merged"
                    + " report is sweep.json and table.txt.",
            "",
            "Workers share the processor: their times disturb each other, though not the pairing within a cell."
        },
        footer = {
            "  outrider sweep configs/sweep-temperature.yaml --dry-run",
            "  outrider sweep configs/sweep-temperature.yaml --set prompts.limit=6",
            "  outrider sweep configs/sweep-temperature.yaml --workers 2",
            "  outrider sweep configs/sweep-temperature.yaml --cell-limit 10m",
            "  outrider sweep configs/sweep-temperature.yaml --emit plan"
        })
final class SweepCommand implements Callable<Integer> {
    private final CommandContext context;

    /// Output for schedulers: the path of the plan.
    enum Emit {
        PLAN
    }

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "CONFIG", description = "The experiment with axes.")
    private Path config = Path.of("");

    @Mixin private Options.SetOption set = new Options.SetOption();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "results",
            description = "Where results go, in a folder of the sweep's name (default: results).")
    private Path out = Path.of("results");

    @Option(
            names = "--dry-run",
            description = "Show the cells, what is refused, and how long it will take.")
    private boolean dryRun;

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Cells that run side by side, in processes (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--cell-limit",
            paramLabel = "TIME",
            converter = Options.DurationConverter.class,
            description =
                    "Longest time for a cell, such as 10m, loading included. Every cell then runs in a process of its own, which"
                            + " is ended at the limit whatever hangs in it; the cell has failed, and the others go on"
                            + " (default: no limit).")
    private Optional<Duration> cellLimit = Optional.empty();

    @Option(
            names = "--merge",
            description = "Run nothing; put together what processes elsewhere have finished.")
    private boolean mergeOnly;

    @Option(
            names = "--allow-mixed",
            description = "Let cells of different revisions stand in one report.")
    private boolean allowMixed;

    @Option(
            names = "--check",
            description = "Check every draft and verdict against its contract; slows down.")
    private boolean check;

    @Option(
            names = "--emit",
            paramLabel = "FORMAT",
            description =
                    "Run nothing, write the plan, and its path to the standard output: ${COMPLETION-CANDIDATES}.")
    private Optional<Emit> emit = Optional.empty();

    SweepCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Options.require(spec, workers >= 1, "--workers", workers, "1 or more");
        var grid = new SweepGridReader(context.loader()).read(config, set.values());
        var git = GitState.of(context.root());
        var fresh =
                SweepPlan.of(
                        grid,
                        String.valueOf(config.getFileName()),
                        out,
                        git,
                        CommandContext.version());
        if (dryRun) {
            show(fresh, grid.cells().stream().map(SweepGrid.Cell::loaded).toList());
            return ExitCode.OK;
        }
        var folder = new SweepFolder(out.resolve(fresh.name()));
        var plan = folder.adopt(fresh);
        if (emit.isPresent()) {
            context.out().println(folder.plan());
            return ExitCode.OK;
        }
        var merge = new SweepMerge(plan, folder, allowMixed);
        if (!mergeOnly) {
            merge.requireContinuedBy(git, CommandContext.version());
            context.fetch(grid.cells().stream().map(cell -> cell.loaded().effective()).toList());
            run(plan, folder);
        }
        return report(merge.merge(), folder);
    }

    private void run(SweepPlan plan, SweepFolder folder) {
        var display = new SweepDisplay(context.err(), context.ticker(), plan.cells().size());
        if (workers == 1 && cellLimit.isEmpty()) {
            context.run(plan, plan.cells(), folder, check, display);
            return;
        }
        plan.cells().stream()
                .filter(cell -> folder.finished(cell.id()).isPresent())
                .forEach(display::finishedBefore);
        var start =
                new CellProcesses.Start(
                        CellProcesses.likeThisOne(),
                        check ? List.of("--check") : List.of(),
                        cellLimit);
        new CellProcesses(
                        plan,
                        folder,
                        start,
                        context.ticker(),
                        display::ended,
                        context.interrupted())
                .run(Math.min(workers, plan.cells().size()));
    }

    private int report(SweepSummary summary, SweepFolder folder) {
        String table = SweepTable.of(summary);
        folder.write(folder.summary(), Json.pretty(summary));
        folder.write(folder.table(), table);
        context.out().print(table);
        context.out().printf("%nKept in %s%n", folder.root());
        if (context.interruption().requested()) {
            return ExitCode.INTERRUPTED;
        }
        int missing = summary.planned() - summary.finished();
        if (missing == 0) {
            return ExitCode.OK;
        }
        if (summary.failures().size() == missing) {
            return ExitCode.CELLS_FAILED;
        }
        context.err()
                .printf(
                        "%d cells are not finished; another process may be at them. Run the same command again.%n",
                        missing - summary.failures().size());
        return ExitCode.FAILURE;
    }

    private void show(SweepPlan plan, List<Loaded<ExperimentConfig>> all) {
        var out = context.out();
        plan.cells().forEach(cell -> out.printf("%s  %s%n", cell.id(), cell.describe()));
        plan.refused()
                .forEach(cell ->
                        out.printf(
                                "refused %s: %s: %s%n",
                                cell.describe(), cell.code(), cell.reason()));
        out.printf(
                "%d cells, %d refused, %d excluded. Plan %s.%n",
                plan.cells().size(), plan.refused().size(), plan.excluded(), plan.planHash());
        var missing =
                all.stream()
                        .flatMap(cell -> cell.effective().remoteNames().stream())
                        .filter(each -> each.revision().isEmpty())
                        .map(EffectiveConfig.RemoteName::name)
                        .distinct()
                        .toList();
        if (!missing.isEmpty()) {
            out.printf(
                    "Not on this machine yet, and fetched when the sweep runs: %s. Until then nobody knows how long it takes.%n",
                    String.join(", ", missing));
            return;
        }
        double seconds =
                BenchEstimate.seconds(
                        all.stream().map(Loaded::config).filter(this::possible).toList(),
                        context.host());
        out.printf(
                "At most about %s on this machine with one worker, by a probe of plain decoding; more where variants are"
                        + " slower than that.%n",
                SweepDisplay.duration(seconds));
    }

    private boolean possible(ExperimentConfig cell) {
        return SweepPlan.refusal(cell).isEmpty();
    }
}
