package dev.outrider.cli;

import dev.outrider.config.EffectiveConfig;
import dev.outrider.config.Loaded;
import dev.outrider.experiment.bench.BenchEstimate;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.report.ReportFiles;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.Provenance.GitState;
import dev.outrider.experiment.sweep.SweepFolder;
import dev.outrider.experiment.sweep.SweepGridReader.SweepGrid;
import dev.outrider.experiment.sweep.SweepMerge;
import dev.outrider.experiment.sweep.SweepMerge.SweepSummary;
import dev.outrider.experiment.sweep.SweepPlan;
import dev.outrider.experiment.sweep.SweepTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider sweep`: runs every combination of a configuration's axes.
@Command(name = "sweep")
final class SweepCommand extends Subcommand {
    /// Output for schedulers: the path of the plan.
    enum Emit {
        PLAN
    }

    @Parameters(paramLabel = "CONFIG")
    private Path config = Path.of("");

    @Mixin private ExperimentOptions options = new ExperimentOptions();

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "results")
    private Path out = Path.of("results");

    @Option(names = "--dry-run")
    private boolean dryRun;

    @Option(names = "--workers", paramLabel = "N", defaultValue = "1")
    private int workers;

    @Option(
            names = "--cell-limit",
            paramLabel = "TIME",
            converter = Options.DurationConverter.class)
    private Optional<Duration> cellLimit = Optional.empty();

    @Option(names = "--merge")
    private boolean mergeOnly;

    @Option(names = "--allow-mixed")
    private boolean allowMixed;

    @Option(names = "--check")
    private boolean check;

    @Option(names = "--emit", paramLabel = "FORMAT")
    private Optional<Emit> emit = Optional.empty();

    @Override
    public Integer call() {
        require(workers >= 1, "--workers", workers, "1 or more");
        var grid = options.sweep(context(), config);
        var git = GitState.of(context().root());
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
            out().println(folder.plan());
            return ExitCode.OK;
        }
        var merge = new SweepMerge(plan, folder, allowMixed);
        if (!mergeOnly) {
            merge.requireContinuedBy(git, CommandContext.version());
            context().fetch(grid.cells().stream().map(cell -> cell.loaded().effective()).toList());
            run(plan, folder);
        }
        return report(merge.merge(), folder);
    }

    private void run(SweepPlan plan, SweepFolder folder) {
        var display = new SweepDisplay(err(), context().ticker(), plan.cells().size());
        if (workers == 1 && cellLimit.isEmpty()) {
            context().run(plan, plan.cells(), folder, check, display);
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
                        context().ticker(),
                        display::ended,
                        context().interrupted())
                .run(Math.min(workers, plan.cells().size()));
    }

    private int report(SweepSummary summary, SweepFolder folder) {
        folder.write(folder.summary(), Json.pretty(summary));
        folder.write(folder.table(), SweepTable.of(summary));
        out().print(SweepTable.brief(summary));
        if (summary.finished() > 0) {
            var files =
                    ReportFiles.write(
                            folder.root(), folder.root(), Optional.empty(), Optional.empty());
            out().printf("%nPage: %s%n", files.page());
        }
        out().printf("Kept in %s%n", folder.root());
        if (context().interruption().requested()) {
            return ExitCode.INTERRUPTED;
        }
        int missing = summary.planned() - summary.finished();
        if (missing == 0) {
            return ExitCode.OK;
        }
        if (summary.failures().size() == missing) {
            return ExitCode.CELLS_FAILED;
        }
        err().printf(
                        "%d cells are not finished; another process may be at them. Run the same command again.%n",
                        missing - summary.failures().size());
        return ExitCode.FAILURE;
    }

    private void show(SweepPlan plan, List<Loaded<ExperimentConfig>> all) {
        var out = out();
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
                    "Not on this machine yet, and fetched when the sweep runs: %s. Until then the time cannot be estimated.%n",
                    String.join(", ", missing));
            return;
        }
        double seconds =
                BenchEstimate.seconds(
                        all.stream().map(Loaded::config).filter(this::possible).toList(),
                        context().host());
        out.printf(
                "At most about %s on this machine with one worker, by a probe of plain decoding; more where variants are"
                        + " slower than that.%n",
                SweepDisplay.duration(seconds));
    }

    private boolean possible(ExperimentConfig cell) {
        return SweepPlan.refusal(cell).isEmpty();
    }
}
