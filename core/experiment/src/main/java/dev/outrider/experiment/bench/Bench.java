package dev.outrider.experiment.bench;

import dev.outrider.common.ShapedPath;
import dev.outrider.config.EffectiveConfig;
import dev.outrider.config.Loaded;
import dev.outrider.engine.decode.SharedPrompts;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.PromptSource;
import dev.outrider.experiment.recording.RunRecorder;
import dev.outrider.experiment.results.Logprobs;
import dev.outrider.experiment.results.Provenance;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.results.ResultFolder;
import dev.outrider.experiment.run.Comparison;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.Progress;
import dev.outrider.experiment.run.PromptReader;
import dev.outrider.experiment.run.RunListeners;
import dev.outrider.experiment.run.SampleRecorder;
import dev.outrider.experiment.run.StoppingRule;
import dev.outrider.experiment.stats.SequentialTest;
import dev.outrider.experiment.verify.Evidence;
import dev.outrider.experiment.verify.Verification;
import dev.outrider.experiment.verify.VerificationSettings;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs an experiment from its configuration to its folder of results: load, compare, test the distribution, report. What
/// `outrider bench` runs one experiment; a sweep runs one for every cell. Confined to one thread.
public final class Bench {
    private static final Logger LOG = LoggerFactory.getLogger(Bench.class);

    // A short test beside every speedup; verify-exactness takes more samples.
    private static final int EVIDENCE_SAMPLES = 500;
    private static final int EVIDENCE_TOKENS = 4000;
    private static final double EVIDENCE_ALPHA = 0.01;
    private static final double EVIDENCE_EFFECT = 0.4;

    /// Prompts before the first interim analysis, if the configuration has no limit.
    private static final int FIRST_LOOK = 8;

    private static final double NANOS = 1e9;

    private final Host host;
    private final Function<String, Progress> progress;
    private final BooleanSupplier cancelled;
    private final Optional<TargetModel> target;

    /// @param cancelled asked before every round; once it is true the run ends with what it has
    public Bench(Host host, Function<String, Progress> progress, BooleanSupplier cancelled) {
        this(host, progress, cancelled, Optional.empty());
    }

    private Bench(
            Host host,
            Function<String, Progress> progress,
            BooleanSupplier cancelled,
            Optional<TargetModel> target) {
        this.host = host;
        this.progress = progress;
        this.cancelled = cancelled;
        this.target = target;
    }

    /// Returns a bench of many short comparisons of one target, which is loaded once and stays the caller's. Their results have no samples.
    ///
    /// @param loaded the target that the configurations name
    public Bench around(TargetModel loaded) {
        return new Bench(host, progress, cancelled, Optional.of(loaded));
    }

    /// The experiment to run, and the folder of its results.
    ///
    /// @param loaded     the experiment, and its text, kept with the results
    /// @param configHash hash of the text
    /// @param directory  the folder of its results, asked for once the configuration is known to work
    /// @param checked    whether every draft and verdict is checked against its contract
    /// @param budget     of a comparison that continues until it is decided; empty measures every prompt
    /// @param recording  whether a recording is made after the measurement
    public record Request(
            Loaded<ExperimentConfig> loaded,
            String configHash,
            Supplier<Path> directory,
            boolean checked,
            Optional<Budget> budget,
            boolean recording) {
        ExperimentConfig config() {
            return loaded.config();
        }

        EffectiveConfig effective() {
            return loaded.effective();
        }
    }

    /// The result of a bench.
    ///
    /// @param target  name of the target
    /// @param seconds that it took, loading aside
    /// @param source  how many prompts each text of the configuration's source is, in the order in which a limit takes the texts
    public record Outcome(
            Report report, Path directory, String target, double seconds, List<Integer> source) {
        public Outcome {
            source = List.copyOf(source);
        }
    }

    /// Run to the end, or until cancelled.
    ///
    /// @return empty if it was cancelled before anything was measured
    /// @throws OutriderException what checking, loading and every prompt's failing throw; RESULTS_NOT_WRITABLE
    public Optional<Outcome> run(Request request) {
        var experiment = withBudget(request);
        LoadedExperiment.checkWithPrompts(experiment, request.effective());
        host.useThreads().accept(experiment.threads());
        try (var folder = ResultFolder.open(request.directory().get(), request.effective());
                var loadedExperiment = load(experiment, request.checked())) {
            var planned = loadedExperiment.plan(experiment);
            var plan = request.budget().isPresent() ? planned.shuffled() : planned;
            folder.describe(provenance(request, plan, loadedExperiment));
            var source = PromptReader.counts(request.config().prompts());
            long start = host.ticker().nanos();
            try (var followers = RunListeners.open(experiment.listeners(), folder.directory())) {
                var until = request.budget().map(budget -> until(budget, request.config(), plan));
                var result = compare(plan, folder, followers, until);
                if (result.generations().isEmpty()) {
                    return Optional.empty();
                }
                var report =
                        Report.of(
                                experiment.question(),
                                shaped(request.effective()),
                                result,
                                evidence(experiment, loadedExperiment, plan),
                                until);
                folder.write(report);
                if (!result.interrupted() && target.isEmpty()) {
                    SampleRecorder.of(result).ifPresent(folder::write);
                    if (request.recording()) {
                        record(result, folder.directory());
                    }
                    experiment
                            .protocol()
                            .logprobs()
                            .ifPresent(most -> logprobs(result, most, folder.directory()));
                }
                return Optional.of(
                        new Outcome(
                                report,
                                folder.directory(),
                                loadedExperiment.target().description().name(),
                                (host.ticker().nanos() - start) / NANOS,
                                source));
            }
        }
    }

    private static Optional<ShapedPath> shaped(EffectiveConfig effective) {
        return effective.paths("target").stream()
                .filter(each -> each.key().equals("target.path"))
                .flatMap(each -> ShapedPath.of(each.path()).stream())
                .findFirst();
    }

    private LoadedExperiment load(ExperimentConfig experiment, boolean checked) {
        try (var watching = progress.apply("loading")) {
            watching.at("", 0, Progress.UNKNOWN);
            return target.map(loaded -> LoadedExperiment.around(loaded, experiment, host.ticker()))
                    .orElseGet(() -> LoadedExperiment.load(experiment, host.ticker(), checked));
        }
    }

    /// An interrupted recording is removed; the run's results are complete without it.
    private void record(ComparisonResult result, Path directory) {
        try (var watching = progress.apply("recording")) {
            new RunRecorder(result, watching, cancelled).write(directory);
        } catch (CancellationException e) {
            LOG.warn("interrupted: there is no recording in '{}'", directory);
        }
    }

    private void logprobs(ComparisonResult result, int most, Path directory) {
        try (var watching = progress.apply("log probabilities")) {
            Logprobs.write(result, most, directory, watching, cancelled);
        } catch (CancellationException e) {
            LOG.warn("interrupted: there are no log probabilities in '{}'", directory);
        }
    }

    private static ExperimentConfig withBudget(Request request) {
        var config = request.config();
        return request.budget()
                .map(budget ->
                        config.withPrompts(config.prompts().limited(budget.prompts().orElse(0))))
                .orElse(config);
    }

    /// Returns the sequential test. Prompts that the configuration itself contains come before the first interim analysis.
    private SequentialTest until(Budget budget, ExperimentConfig config, ComparisonPlan plan) {
        int first =
                config.prompts() instanceof PromptSource.FromFile file && file.limit() > 0
                        ? file.limit()
                        : FIRST_LOOK;
        return new SequentialTest(Math.ceilDiv(first, plan.batch()), budget.time(), host.ticker());
    }

    private ComparisonResult compare(
            ComparisonPlan plan,
            ResultFolder folder,
            RunListeners followers,
            Optional<SequentialTest> until) {
        try (var watching = progress.apply("comparing")) {
            return new Comparison(
                            plan,
                            host.ticker(),
                            List.of(new Comparison.Steps(plan, watching), folder),
                            followers,
                            until.<StoppingRule>map(each -> each).orElseGet(StoppingRule::atTheEnd),
                            cancelled)
                    .run();
        }
    }

    /// Returns tests of the output of variants that sample; greedy output is compared by the comparison itself.
    private Map<String, Evidence> evidence(
            ExperimentConfig experiment, LoadedExperiment loadedExperiment, ComparisonPlan plan) {
        if (experiment.protocol().exactnessTestSeconds() == 0 || cancelled.getAsBoolean()) {
            return Map.of();
        }
        var settings =
                new VerificationSettings(
                        EVIDENCE_SAMPLES,
                        EVIDENCE_TOKENS,
                        experiment.protocol().exactnessTestSeconds(),
                        EVIDENCE_ALPHA,
                        EVIDENCE_EFFECT,
                        experiment.seed(),
                        1);
        var verification =
                new Verification(
                        loadedExperiment.variants(),
                        plan.prompts(),
                        settings,
                        host.ticker(),
                        cancelled);
        try (var watching = progress.apply("verifying")) {
            return verification.distributions(watching);
        }
    }

    private Provenance provenance(
            Request request, ComparisonPlan plan, LoadedExperiment loadedExperiment) {
        var engines = new TreeMap<>(host.engines());
        engines.put("target", loadedExperiment.target().description().backend());
        return new Provenance(
                host.clock().instant().toString(),
                host.git(),
                request.configHash(),
                loadedExperiment.modelDigests(),
                revisions(request.effective()),
                new Provenance.Machine(
                        host.jvm(), engines, host.device(), request.config().threads()),
                plan.seed(),
                plan.warmup(),
                plan.repetitions(),
                plan.prompts().size(),
                plan.sharesPrompts() && SharedPrompts.possible(loadedExperiment.target())
                        ? Provenance.SHARED_PROMPTS
                        : Provenance.WHOLE_GENERATION,
                sources(plan, loadedExperiment.target().description()));
    }

    private static Optional<SortedMap<String, String>> revisions(EffectiveConfig effective) {
        var commits = new TreeMap<String, String>();
        effective
                .remoteNames()
                .forEach(each -> each.revision().ifPresent(at -> commits.put(each.name(), at)));
        return commits.isEmpty() ? Optional.empty() : Optional.of(commits);
    }

    private static Optional<String> sources(ComparisonPlan plan, TargetDescription target) {
        return target.sources()
                .map(reading ->
                        plan.prompts().stream()
                                        .allMatch(prompt -> prompt.ids().equals(reading.start()))
                                ? Provenance.TEXTS_AS_SOURCES
                                : Provenance.SOURCES_OF_PROMPTS);
    }

    /// The budget of a comparison that continues until it is decided.
    ///
    /// @param prompts most prompts, in place of the configuration's limit; if empty, every prompt of its source
    /// @param time    no prompt begins after this time; empty means no limit
    public record Budget(OptionalInt prompts, Optional<Duration> time) {
        /// Most prompts.
        public static Budget ofPrompts(int prompts) {
            return new Budget(OptionalInt.of(prompts), Optional.empty());
        }

        /// Every prompt of the source, until some time is over.
        public static Budget ofTime(Duration time) {
            return new Budget(OptionalInt.empty(), Optional.of(time));
        }
    }
}
