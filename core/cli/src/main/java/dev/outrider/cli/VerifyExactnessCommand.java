package dev.outrider.cli;

import dev.outrider.config.Loaded;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.EvidenceTable;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.sweep.SweepGridReader;
import dev.outrider.experiment.verify.Verification;
import dev.outrider.experiment.verify.VerificationSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The command `outrider verify-exactness`: tests whether the output follows the target's distribution.
@Command(name = "verify-exactness")
final class VerifyExactnessCommand extends Subcommand {

    @Option(names = "--config", paramLabel = "FILE")
    private Optional<Path> config = Optional.empty();

    @Option(names = "--variant", paramLabel = "NAME")
    private List<String> variants = List.of();

    @Mixin private ExperimentOptions options = new ExperimentOptions();

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

    @Option(names = "--seed", paramLabel = "N")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--check")
    private boolean check;

    @Option(names = "--json")
    private boolean json;

    @Override
    public Integer call() {
        var file = config.orElse(context().root().resolve("configs/in-cache.yaml"));
        require(
                !new SweepGridReader(context().loader()).isSweep(file),
                "--config",
                file,
                "one without the key 'sweep'; 'outrider sweep' tests the output of each of its cells");
        var loaded =
                options.experiment(
                        overrides(), sets -> context().ready(() -> experiment(file, sets)));
        var experiment = variants.isEmpty() ? loaded.config() : only(variants, loaded.config());
        var settings = settings(experiment);
        LoadedExperiment.checkWithPrompts(experiment, loaded.effective());
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
        var overrides = new ArrayList<>(options.sets());
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
