package dev.outrider.experiment.sweep;

import dev.outrider.common.Ticker;
import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.bench.Bench;
import dev.outrider.experiment.bench.Host;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.Provenance.GitState;
import dev.outrider.experiment.run.FakeClock;
import dev.outrider.experiment.run.TablePlugin;
import dev.outrider.experiment.sweep.CellRunner.CellOutcome;
import dev.outrider.experiment.sweep.CellRunner.SweepListener;
import dev.outrider.experiment.sweep.SweepMerge.SweepSummary;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/// A sweep over tables, with fake times: all files that it writes are the same in every run. Tests start it as a program and kill
/// it.
final class TableSweep {
    /// Six cells, two of them for each drafter.
    static final String FILE =
            """
            name: tables
            question: Does killing it change anything?
            target: table
            prompts: {texts: [ab, ba, aa]}
            maxTokens: 24
            repetitions: 1
            exactnessTestSeconds: 0
            variants:
              - name: chain
                drafter: {use: table, tree: 3}
            sweep:
              axes:
                variants[0].drafter.agreement: [0.2, 0.5, 0.9]
                sampling.temperature: [0, 1]
            """;

    private final Path file;
    private final Path out;
    private final GitState git;
    private final long pauseNanos;

    /// @param pauseNanos the time of each reading of the clock, to make cells last
    TableSweep(Path file, Path out, GitState git, long pauseNanos) {
        this.file = file;
        this.out = out;
        this.git = git;
        this.pauseNanos = pauseNanos;
    }

    static TableSweep of(Path file, Path out) {
        return new TableSweep(file, out, new GitState("abc", false), 0);
    }

    SweepPlan plan() {
        var grid = new SweepGridReader(loader(new FakeClock())).read(file, List.of());
        return SweepPlan.of(grid, String.valueOf(file.getFileName()), out, git, "1");
    }

    SweepFolder folder() {
        return new SweepFolder(out.resolve("tables"));
    }

    /// Plans, runs the missing cells, merges.
    CellRunner.Count run(SweepListener listener) {
        var plan = folder().adopt(plan());
        var count = runner(plan).run(plan.cells(), listener, () -> false);
        merge(plan);
        return count;
    }

    SweepSummary merge(SweepPlan plan) {
        var merged = new SweepMerge(plan, folder(), false).merge();
        folder().write(folder().summary(), Json.pretty(merged));
        folder().write(folder().table(), SweepTable.of(merged));
        return merged;
    }

    CellRunner runner(SweepPlan plan) {
        var clock = new FakeClock();
        var host =
                host(
                        git,
                        () -> {
                            LockSupport.parkNanos(pauseNanos);
                            return clock.nanos();
                        });
        var bench = new Bench(host, _ -> (_, _, _) -> {}, () -> false);
        return new CellRunner(plan, folder(), loader(clock), bench, host, true);
    }

    /// Version 1 of Outrider.
    static Host host(GitState git, Ticker ticker) {
        return new Host(
                git,
                "a machine",
                "a processor",
                new TreeMap<>(Map.of("outrider", "1")),
                _ -> {},
                ticker,
                InstantSource.fixed(Instant.EPOCH));
    }

    private static ConfigLoader loader(FakeClock clock) {
        return new ConfigLoader(TablePlugin.installed(clock), Path.of("").toAbsolutePath());
    }

    /// Arguments: the file, the folder for results, the pause in nanoseconds. Prints the beginning and the end of each step.
    public static void main(String[] arguments) {
        var sweep =
                new TableSweep(
                        Path.of(arguments[0]),
                        Path.of(arguments[1]),
                        new GitState("abc", false),
                        Long.parseLong(arguments[2]));
        sweep.run(
                new SweepListener() {
                    @Override
                    public void starting(PlannedCell cell) {
                        System.out.println("starting " + cell.id());
                    }

                    @Override
                    public void ended(PlannedCell cell, CellOutcome outcome) {
                        System.out.println(outcome.getClass().getSimpleName() + " " + cell.id());
                    }
                });
    }
}
