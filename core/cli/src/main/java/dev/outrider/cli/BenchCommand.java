package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.experiment.bench.Bench;
import dev.outrider.experiment.bench.Bench.Budget;
import dev.outrider.experiment.bench.BenchEstimate;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.report.ReportFiles;
import dev.outrider.experiment.results.RunFolders;
import dev.outrider.experiment.results.TextTable;
import dev.outrider.experiment.sweep.SweepGridReader;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider bench`: plain decoding against each variant of a configuration.
@Command(
        name = "bench",
        description = {
            "Compares plain decoding with speculative decoding.",
            "",
            "Runs every prompt of the configuration with plain decoding and with each variant, in turn, and prints a"
                    + " table: tokens a second, measured and predicted speedup, tokens a round, alpha, c, and whether the"
                    + " output is provably the target's. Everything measured is kept in results/<name>/, in a folder for each run;"
                    + " the link 'latest' is the newest.",
            "",
            "Beside every speedup stands its evidence: greedy ids are compared with plain decoding's, and the distribution of"
                    + " sampled output is tested for exactnessTestSeconds. 'outrider verify-exactness' looks harder.",
            "",
            "All variants are compared with one another on the same prompts: which is the fastest, which are alike, and how many more"
                    + " prompts would decide. --until-decided measures them.",
            "",
            "Ctrl-C ends the comparison; what was measured so far is kept and shown."
        },
        footer = {
            "  outrider bench configs/quickstart.yaml",
            "  outrider bench configs/quickstart.yaml --set repetitions=10 --set sampling.temperature=1",
            "  outrider bench configs/compare-drafters.yaml --until-decided 40",
            "  outrider bench configs/quickstart.yaml --costs-of tinyllama-1.1b",
            "  outrider bench configs/compare-drafters.yaml --dry-run",
            "  outrider bench configs/quickstart.yaml --record",
            "  outrider bench my.yaml --out /tmp/results"
        })
final class BenchCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(paramLabel = "CONFIG", description = "The experiment; configs/ has examples.")
    private Path config = Path.of("");

    @Mixin private Options.SetOption set = new Options.SetOption();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "results",
            description =
                    "Where results go, in a folder of the experiment's name and there in one for each run (default: results).")
    private Path out = Path.of("results");

    @Option(
            names = "--check",
            description =
                    "Check every draft and verdict against its contract; for new drafters, slows the measurement down.")
    private boolean check;

    @Option(
            names = "--overwrite",
            description =
                    "Replace the newest results of this name, once there are new ones, instead of keeping both.")
    private boolean overwrite;

    @Option(
            names = "--until-decided",
            paramLabel = "BUDGET",
            converter = Options.BudgetConverter.class,
            description =
                    "Continue with further prompts of the configuration's source until it is known which variant is the fastest, or which are"
                            + " alike within 2 %%, or until the budget is spent: most prompts, such as 80, or a time, such as 15m."
                            + " prompts.limit (or 8) prompts come before the first look.")
    private Optional<Budget> untilDecided = Optional.empty();

    @Option(
            names = "--dry-run",
            description =
                    "Load everything, show what would run and about how long it takes, by a few tokens of every variant, and measure nothing.")
    private boolean dryRun;

    @Option(
            names = "--record",
            description =
                    "Afterwards, also record the drafts of every variant along what plain decoding wrote, with both probabilities, for"
                            + " 'outrider lab'.")
    private boolean record;

    @Mixin private Options.CostsOfOption costsOf = new Options.CostsOfOption();

    BenchCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (new SweepGridReader(context.loader()).isSweep(config)) {
            throw new OutriderException(
                    ErrorCode.USAGE,
                    "'%s' has the key 'sweep': it is many experiments".formatted(config),
                    "Run it with 'outrider sweep'.");
        }
        var loaded =
                context.ready(
                        () -> context.loader().load(config, ExperimentConfig.class, set.values()));
        if (dryRun) {
            show(BenchEstimate.of(loaded.config(), loaded.effective(), context.host()));
            return ExitCode.OK;
        }
        var runs = new RunFolders(out.resolve(loaded.config().name()));
        var outcome =
                context.bench()
                        .run(
                                new Bench.Request(
                                        loaded.config(),
                                        loaded.effective(),
                                        loaded.effective().configHash(),
                                        () -> folder(runs),
                                        check,
                                        untilDecided,
                                        record));
        if (outcome.isEmpty()) {
            context.err().println("Interrupted before anything was measured.");
            return ExitCode.INTERRUPTED;
        }
        var directory = outcome.get().directory();
        ReportFiles.write(directory, directory, Optional.empty(), Optional.empty());
        if (!runs.link(directory)) {
            context.err()
                    .printf("'latest' in %s could not be set to this run.%n", runs.experiment());
        }
        context.out().print(TextTable.of(outcome.get().report()));
        int code =
                costsOf.value()
                        .map(place ->
                                new OtherCostsReport(context).write(directory, place, directory))
                        .orElse(ExitCode.OK);
        context.out().printf("%nKept in %s%n", directory);
        return code;
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
        context.out().print(table.text());
        context.out()
                .printf(
                        "%d prompts, %d repetitions: about %s on this machine, if every generation is as long as it may become.%n",
                        estimate.prompts(),
                        estimate.repetitions(),
                        SweepDisplay.duration(estimate.seconds()));
    }

    private Path folder(RunFolders runs) {
        Optional<Path> replaced = overwrite ? runs.newest() : Optional.empty();
        return replaced.orElseGet(() -> runs.fresh(context.clock().instant()));
    }
}
