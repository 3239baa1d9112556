package dev.outrider.cli;

import dev.outrider.common.Ticker;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.Loaded;
import dev.outrider.experiment.bench.Bench;
import dev.outrider.experiment.bench.Host;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.sweep.CellRunner;
import dev.outrider.experiment.sweep.SweepFolder;
import dev.outrider.experiment.sweep.SweepPlan;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import dev.outrider.experiment.sweep.SweepRun;
import dev.outrider.experiment.sweep.SweepRun.SweepListener;
import jakarta.inject.Inject;
import java.time.InstantSource;

/// Experiments that run in this process. They show how far they are, and stop where the user interrupts them.
final class Experiments {
    private final Console console;
    private final Interruption interruption;
    private final ConfigLoader loader;
    private final Ticker ticker;
    private final InstantSource clock;
    private final Checkout checkout;

    @Inject
    Experiments(
            Console console,
            Interruption interruption,
            ConfigLoader loader,
            Ticker ticker,
            InstantSource clock,
            Checkout checkout) {
        this.console = console;
        this.interruption = interruption;
        this.loader = loader;
        this.ticker = ticker;
        this.clock = clock;
        this.checkout = checkout;
    }

    Host host() {
        return ThisHost.of(checkout, ticker, clock);
    }

    Bench bench() {
        return bench(host());
    }

    /// The cells of a plan.
    ///
    /// @param folder where results go
    /// @param check  whether every draft and verdict is checked
    SweepRun cells(SweepPlan plan, SweepFolder folder, boolean check, SweepListener listener) {
        var host = host();
        var runner = new CellRunner(plan, folder, loader, bench(host), host, check);
        return new SweepRun(runner, listener, interruption::requested);
    }

    /// The experiment of one cell.
    Loaded<ExperimentConfig> cell(PlannedCell cell, SweepFolder folder) {
        return CellRunner.load(loader, cell, folder);
    }

    private Bench bench(Host host) {
        return new Bench(host, new ProgressBars(console), interruption::requested);
    }
}
