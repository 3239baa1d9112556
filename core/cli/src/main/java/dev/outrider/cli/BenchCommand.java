package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.experiment.bench.Bench;
import dev.outrider.experiment.bench.Bench.Budget;
import dev.outrider.experiment.bench.BenchEstimate;
import dev.outrider.experiment.report.ReportFiles;
import dev.outrider.experiment.results.BriefTable;
import dev.outrider.experiment.results.RunFolders;
import dev.outrider.experiment.results.TextTable;
import dev.outrider.experiment.sweep.SweepGridReader;
import dev.outrider.spi.error.ErrorCode;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider bench`: plain decoding against each variant of a configuration.
@Command(name = "bench")
final class BenchCommand extends Subcommand {
    @Parameters(paramLabel = "CONFIG")
    private Path config = Path.of("");

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "results")
    private Path out = Path.of("results");

    @Option(names = "--check")
    private boolean check;

    @Option(names = "--overwrite")
    private boolean overwrite;

    @Option(
            names = "--until-decided",
            paramLabel = "BUDGET",
            converter = Options.BudgetConverter.class)
    private Optional<Budget> untilDecided = Optional.empty();

    @Option(names = "--dry-run")
    private boolean dryRun;

    @Option(names = "--record")
    private boolean record;

    @Option(names = "--details")
    private boolean details;

    @Option(names = "--json")
    private boolean json;

    @Mixin private ExperimentOptions options = new ExperimentOptions();

    @Mixin private Options.CostsOfOption costsOf = new Options.CostsOfOption();

    @Override
    public Integer call() {
        boolean elsewhere = costsOf.value().isPresent();
        require(
                !json || !details && !dryRun && !elsewhere,
                "--json",
                "given",
                "no --details, --dry-run or --costs-of beside it");
        if (new SweepGridReader(context().loader()).isSweep(config)) {
            throw ErrorCode.USAGE.error(
                    "'%s' has the key 'sweep': it is many experiments".formatted(config),
                    "Run it with 'outrider sweep'.");
        }
        var loaded = options.experiment(context(), config);
        if (dryRun) {
            show(BenchEstimate.of(loaded.config(), loaded.effective(), context().host()));
            return ExitCode.OK;
        }
        var runs = new RunFolders(out.resolve(loaded.config().name()));
        var hash = loaded.effective().configHash();
        var request =
                new Bench.Request(loaded, hash, () -> folder(runs), check, untilDecided, record);
        var found = context().bench().run(request);
        if (found.isEmpty()) {
            err().println("Interrupted before anything was measured.");
            return ExitCode.INTERRUPTED;
        }
        var outcome = found.get();
        var directory = outcome.directory();
        ReportFiles.write(directory, directory, Optional.empty(), Optional.empty());
        if (!runs.link(directory)) {
            err().printf("'latest' in %s could not be set to this run.%n", runs.experiment());
        }
        var brief = new BriefTable(outcome.report(), outcome.target(), directory, outcome.source());
        if (json) {
            out().print(brief.json());
            return ExitCode.OK;
        }
        out().print(details ? TextTable.of(outcome.report()) + brief.places() : brief.text());
        return costsOf.value()
                .map(place -> new OtherCostsReport(context()).write(directory, place, directory))
                .orElse(ExitCode.OK);
    }

    private void show(BenchEstimate estimate) {
        var table = Columns.of("variant", "drafter", "rule", "exactness", "about");
        for (var variant : estimate.variants()) {
            table.row(
                    variant.name(),
                    variant.drafter(),
                    variant.rule(),
                    variant.exactness(),
                    SweepDisplay.duration(variant.seconds()));
        }
        out().print(table.text());
        out().printf(
                        "%d prompts, %d repetitions: about %s on this machine, if every generation is as long as it may become.%n",
                        estimate.prompts(),
                        estimate.repetitions(),
                        SweepDisplay.duration(estimate.seconds()));
    }

    private Path folder(RunFolders runs) {
        Optional<Path> replaced = overwrite ? runs.newest() : Optional.empty();
        return replaced.orElseGet(() -> runs.fresh(context().clock().instant()));
    }
}
