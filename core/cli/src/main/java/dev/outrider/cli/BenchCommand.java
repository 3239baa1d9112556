package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
import dev.outrider.config.Loaded;
import dev.outrider.engine.decode.Ticker;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.report.GitState;
import dev.outrider.experiment.report.Provenance;
import dev.outrider.experiment.report.Report;
import dev.outrider.experiment.report.ResultFolder;
import dev.outrider.experiment.report.TextTable;
import dev.outrider.experiment.report.output.ReportFiles;
import dev.outrider.experiment.run.Assembly;
import dev.outrider.experiment.run.Catalog;
import dev.outrider.experiment.run.Comparison;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.sample.SampleRecorder;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.Verification;
import dev.outrider.experiment.verify.VerificationSettings;
import dev.outrider.nn.runtime.TensorRuntime;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
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
                    + " output is provably the target's. Everything measured is kept in results/<name>/.",
            "",
            "Beside every speedup stands its evidence: greedy ids are compared with plain decoding's, and the law of"
                    + " sampled output is tested for evidenceSeconds. 'outrider verify-exactness' looks harder.",
            "",
            "Ctrl-C ends the comparison; what was measured so far is kept and shown."
        },
        footer = {
            "  outrider bench configs/quickstart.yaml",
            "  outrider bench configs/quickstart.yaml --set repetitions=10 --set sampling.temperature=1",
            "  outrider bench my.yaml --out /tmp/results"
        })
final class BenchCommand implements Callable<Integer> {
    // A glance beside every speedup; verify-exactness looks harder.
    private static final int EVIDENCE_SAMPLES = 500;
    private static final int EVIDENCE_TOKENS = 4000;
    private static final double EVIDENCE_ALPHA = 0.01;
    private static final double EVIDENCE_EFFECT = 0.4;

    private final Console console;
    private final Interruption interruption;
    private final ConfigLoader loader;
    private final Catalog catalog;
    private final Ticker ticker;
    private final InstantSource clock;
    private final Checkout checkout;

    @Parameters(paramLabel = "CONFIG", description = "The experiment; configs/ has examples.")
    private Path config = Path.of("");

    @Mixin private SetOption set = new SetOption();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "results",
            description =
                    "Where results go, in a folder of the experiment's name (default: results).")
    private Path out = Path.of("results");

    @Option(
            names = "--check",
            description =
                    "Check every draft and verdict against its contract; for new drafters, slows the measurement down.")
    private boolean check;

    @Inject
    BenchCommand(
            Console console,
            Interruption interruption,
            ConfigLoader loader,
            Catalog catalog,
            Ticker ticker,
            InstantSource clock,
            Checkout checkout) {
        this.console = console;
        this.interruption = interruption;
        this.loader = loader;
        this.catalog = catalog;
        this.ticker = ticker;
        this.clock = clock;
        this.checkout = checkout;
    }

    @Override
    public Integer call() {
        var loaded = loader.load(config, ExperimentConfig.class, set.values());
        var experiment = loaded.config();
        TensorRuntime.useThreads(experiment.threads());
        try (var assembly = Assembly.load(experiment, catalog, ticker, check)) {
            var plan = assembly.plan(experiment);
            try (var folder =
                    ResultFolder.open(
                            out,
                            experiment.name(),
                            loaded.effective(),
                            provenance(loaded, plan, assembly))) {
                return compare(experiment, assembly, plan, folder);
            }
        }
    }

    private int compare(
            ExperimentConfig experiment,
            Assembly assembly,
            ComparisonPlan plan,
            ResultFolder folder) {
        var result = run(plan, folder);
        if (result.generations().isEmpty()) {
            console.err().println("Interrupted before anything was measured.");
            return ExitCode.INTERRUPTED;
        }
        var report = Report.of(experiment.question(), result, evidence(experiment, assembly, plan));
        folder.write(report);
        if (!result.interrupted()) {
            int prompt = result.generations().getFirst().prompt();
            folder.write(new SampleRecorder(plan, interruption::requested).record(prompt));
        }
        ReportFiles.write(folder.directory(), folder.directory());
        console.out().print(TextTable.of(report));
        console.out().printf("%nKept in %s%n", folder.directory());
        return ExitCode.OK;
    }

    private ComparisonResult run(ComparisonPlan plan, ResultFolder folder) {
        try (var progress = new BenchProgress(console, plan, folder)) {
            return new Comparison(plan, ticker, progress, interruption::requested).run();
        }
    }

    /// What speaks for the promises of the variants that sample; their greedy side the comparison has seen itself.
    private Map<String, Evidence> evidence(
            ExperimentConfig experiment, Assembly assembly, ComparisonPlan plan) {
        if (experiment.evidenceSeconds() == 0 || interruption.requested()) {
            return Map.of();
        }
        var settings =
                new VerificationSettings(
                        EVIDENCE_SAMPLES,
                        EVIDENCE_TOKENS,
                        experiment.evidenceSeconds(),
                        EVIDENCE_ALPHA,
                        EVIDENCE_EFFECT,
                        experiment.seed());
        var verification =
                new Verification(
                        assembly.contenders(),
                        plan.prompts(),
                        settings,
                        ticker,
                        interruption::requested);
        try (var progress = new VerificationProgress(console, verification.variants())) {
            return verification.laws(progress);
        }
    }

    private Provenance provenance(
            Loaded<ExperimentConfig> loaded, ComparisonPlan plan, Assembly assembly) {
        var git = GitState.of(checkout.root());
        var target = assembly.target().description();
        var experiment = loaded.config();
        var models = assembly.modelDigests();
        var engines =
                new TreeMap<>(
                        Map.of(
                                "outrider",
                                BuildInfo.version(),
                                "tensors",
                                TensorRuntime.info().name(),
                                "target",
                                target.backend()));
        return new Provenance(
                clock.instant().toString(),
                git.revision(),
                git.dirty(),
                loaded.effective().configHash(),
                models,
                Machine.jvm(),
                engines,
                Machine.processor(),
                experiment.threads(),
                plan.seed(),
                plan.warmup(),
                plan.repetitions(),
                plan.prompts().size(),
                Provenance.WHOLE_GENERATION);
    }
}
