package dev.outrider.cli;

import dev.outrider.config.Loaded;
import dev.outrider.experiment.bench.Host;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.EvidenceTable;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.sweep.SweepFolder;
import dev.outrider.experiment.sweep.SweepGridReader;
import dev.outrider.experiment.sweep.SweepPlan;
import dev.outrider.experiment.sweep.SweepPlan.PlannedCell;
import dev.outrider.experiment.sweep.SweepVerification;
import dev.outrider.experiment.sweep.SweepVerification.VerifiedCell;
import dev.outrider.experiment.sweep.SweepVerificationTable;
import dev.outrider.experiment.verify.Verification;
import dev.outrider.experiment.verify.VerificationSettings;
import dev.outrider.nn.target.PassThreads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The command `outrider verify-exactness`: does the output follow the target's distribution?
@Command(name = "verify-exactness")
final class VerifyExactnessCommand extends Subcommand {

    @Option(names = "--config", paramLabel = "FILE")
    private Optional<Path> config = Optional.empty();

    @Option(names = "--variant", paramLabel = "NAME")
    private List<String> variants = List.of();

    @Mixin private Options.SetOption set = new Options.SetOption();
    @Mixin private ShapeOption shape = new ShapeOption();

    @Option(names = "--temperature", paramLabel = "T")
    private Optional<Double> temperature = Optional.empty();

    @Option(names = "--samples", defaultValue = "1500", paramLabel = "N")
    private int samples;

    @Option(names = "--tokens", defaultValue = "5000", paramLabel = "N")
    private int tokens;

    @Option(names = "--time", defaultValue = "120", paramLabel = "SECONDS")
    private int seconds;

    @Option(names = "--alpha", defaultValue = "0.01")
    private double alpha;

    @Option(names = "--effect", defaultValue = "0.3", paramLabel = "W")
    private double effect;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "results")
    private Path out = Path.of("results");

    @Option(names = "--seed", paramLabel = "N")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--check")
    private boolean check;

    @Option(names = "--json")
    private boolean json;

    @Override
    public Integer call() {
        var file = config.orElse(context().root().resolve("configs/in-cache.yaml"));
        return new SweepGridReader(context().loader()).isSweep(file) ? sweep(file) : single(file);
    }

    private int sweep(Path file) {
        require(variants.isEmpty(), "--variant", variants, "none for a sweep, which tests all");
        var host = context().host();
        var grid = shape.sweep(context(), file, overrides());
        context().fetch(grid.cells().stream().map(cell -> cell.loaded().effective()).toList());
        var source = String.valueOf(file.getFileName());
        var fresh = SweepPlan.of(grid, source, out, host.git(), host.version());
        var folder = new SweepFolder(out.resolve(fresh.name()));
        var plan = folder.adopt(fresh);
        var settings = settings(grid.cells().getFirst().loaded().config());
        var verified = verified(plan, folder, settings, host);
        var table =
                SweepVerificationTable.of(
                        plan.axes(), verified, plan.cells().size(), settings.alpha());
        folder.write(folder.root().resolve("exactness.txt"), table);
        out().print(json ? Json.pretty(verified) : table);
        if (context().interruption().requested()) {
            return ExitCode.INTERRUPTED;
        }
        return SweepVerificationTable.rejected(verified) ? ExitCode.REJECTED : ExitCode.OK;
    }

    private List<VerifiedCell> verified(
            SweepPlan plan, SweepFolder folder, VerificationSettings settings, Host host) {
        var verification =
                new SweepVerification(plan, folder, settings, check, host, context().interrupted());
        try (var progress = new ConsoleProgress(context().console(), "verifying")) {
            return verification.run(cell -> loaded(cell, folder), progress);
        }
    }

    private ExperimentConfig loaded(PlannedCell cell, SweepFolder folder) {
        var loaded = context().cell(cell, folder).config();
        PassThreads.use(loaded.threads());
        return loaded;
    }

    private int single(Path file) {
        var loaded =
                shape.experiment(
                        overrides(), sets -> context().ready(() -> experiment(file, sets)));
        var experiment = variants.isEmpty() ? loaded.config() : only(variants, loaded.config());
        var settings = settings(experiment);
        LoadedExperiment.checkWithPrompts(experiment, loaded.effective());
        PassThreads.use(experiment.threads());
        try (var loadedExperiment = context().load(experiment, check)) {
            var verification =
                    new Verification(
                            loadedExperiment.variants(),
                            loadedExperiment.plan(experiment).prompts(),
                            settings,
                            context().ticker(),
                            context().interrupted());
            var verified = run(verification);
            boolean rejected = verified.stream().anyMatch(each -> each.evidence().rejected());
            out().print(
                            json
                                    ? Json.pretty(
                                            new Verification.Document(
                                                    rejected,
                                                    verified,
                                                    settings,
                                                    loaded.effective().configHash(),
                                                    loadedExperiment.modelDigests(),
                                                    CommandContext.version()))
                                    : EvidenceTable.of(verified));
            return rejected ? ExitCode.REJECTED : ExitCode.OK;
        }
    }

    private List<Verification.Verified> run(Verification verification) {
        try (var progress = new ConsoleProgress(context().console(), "verifying")) {
            return verification.run(progress);
        }
    }

    private VerificationSettings settings(ExperimentConfig experiment) {
        try {
            return new VerificationSettings(
                    samples, tokens, seconds, alpha, effect, experiment.seed(), experiment.batch());
        } catch (IllegalArgumentException e) {
            throw wrong("--" + e.getMessage());
        }
    }

    private List<String> overrides() {
        var overrides = new ArrayList<>(set.values());
        seed.ifPresent(value -> overrides.add("seed=" + value));
        temperature.ifPresent(value -> overrides.add("sampling.temperature=" + value));
        return overrides;
    }

    private Loaded<ExperimentConfig> experiment(Path file, List<String> sets) {
        var loaded = context().loader().load(file, ExperimentConfig.class, sets);
        if (temperature.isPresent() || !loaded.config().sampling().greedy()) {
            return loaded;
        }
        var sampled = Stream.concat(sets.stream(), Stream.of("sampling.temperature=1")).toList();
        return context().loader().load(file, ExperimentConfig.class, sampled);
    }
}
