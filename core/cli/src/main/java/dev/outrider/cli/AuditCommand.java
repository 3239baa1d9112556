package dev.outrider.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.audit.Audit.Outcome;
import dev.outrider.audit.Audit.Plan;
import dev.outrider.audit.Audit.Settings;
import dev.outrider.audit.Audit.Verdict;
import dev.outrider.audit.Audit.Weights;
import dev.outrider.audit.AuditReport;
import dev.outrider.audit.AuditRun;
import dev.outrider.audit.ServerClient;
import dev.outrider.audit.ServerClient.Server;
import dev.outrider.config.YamlText;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.run.LoadedExperiment;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider audit`: tests whether a server follows the distribution of given weights.
@Command(name = "audit")
final class AuditCommand extends Subcommand {
    private static final int DIGEST = 12;

    @Parameters(paramLabel = "URL", arity = "0..1")
    private Optional<URI> url = Optional.empty();

    @Option(names = "--traces", paramLabel = "FILE")
    private Optional<Path> traces = Optional.empty();

    @Option(names = "--config", paramLabel = "FILE", required = true)
    private Path config = Path.of("");

    @Mixin private Options.SetOption set = new Options.SetOption();

    @Option(names = "--model", paramLabel = "NAME")
    private Optional<String> model = Optional.empty();

    @Option(names = "--field", paramLabel = "NAME=JSON")
    private Map<String, String> fields = new LinkedHashMap<>();

    @Option(names = "--on", paramLabel = "NAME=JSON")
    private Map<String, String> on = new LinkedHashMap<>();

    @Option(names = "--off", paramLabel = "NAME=JSON")
    private Map<String, String> off = new LinkedHashMap<>();

    @Option(names = "--server-settings")
    private boolean bare;

    @Option(names = "--key-variable", paramLabel = "VAR")
    private Optional<String> keyVariable = Optional.empty();

    @Option(names = "--requests", defaultValue = "200", paramLabel = "N")
    private int requests;

    @Option(names = "--alpha", defaultValue = "1e-6", paramLabel = "RATE")
    private double alpha;

    @Option(names = "--gap", defaultValue = "0.25", paramLabel = "LOGITS")
    private double gap;

    @Option(names = "--draft", paramLabel = "MODEL")
    private Optional<String> draft = Optional.empty();

    @Option(names = "--draft-length", defaultValue = "4", paramLabel = "K")
    private int length;

    @Option(names = "--other", paramLabel = "NAME=MODEL")
    private Map<String, String> others = new LinkedHashMap<>();

    @Option(names = "--precision", paramLabel = "P", split = ",")
    private List<String> precisions = List.of();

    @Option(names = "--single-faults")
    private boolean single;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "results")
    private Path out = Path.of("results");

    @Option(names = "--dry-run")
    private boolean dry;

    @Option(names = "--seed", paramLabel = "N")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--json")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        require(
                url.isPresent() != traces.isPresent(),
                "URL",
                url.map(Object::toString).orElse("missing"),
                "the address of a server, or --traces FILE");
        var server = url.map(this::server);
        var loaded = context().experiment(config, set.values());
        var settings = settings(loaded.config());
        var hash = loaded.effective().configHash();
        var folder =
                AuditRun.folder(
                        out,
                        loaded.config().name(),
                        hash,
                        server,
                        settings.seed(),
                        on + "" + off + traces.map(Path::toString).orElse(""));
        var experiment = loaded.config().withVariants(List.of());
        var unsent = ServerClient.unsent(experiment);
        require(
                url.isEmpty() || bare || unsent.isEmpty(),
                String.join(", ", unsent),
                "set",
                "--server-settings beside it: no request carries it");
        if (!on.isEmpty() || !off.isEmpty()) {
            require(
                    server.isPresent() && !dry,
                    "--on and --off",
                    on + " " + off,
                    "a URL beside them");
            return compared(experiment, hash, server.orElseThrow(), settings, folder);
        }
        LoadedExperiment.checkWithPrompts(experiment, loaded.effective());
        var models = new ArrayList<LoadedModels>();
        try (var ready = context().load(experiment, false)) {
            var weights = weights(models);
            var drafter = draft.map(path -> open(models, "target.path=" + quoted(path)).target());
            var run =
                    new AuditRun(
                            experiment, ready, weights, drafter, settings, context().interrupted());
            var target = ready.target().description();
            var digest = target.digest().substring(0, Math.min(DIGEST, target.digest().length()));
            var plain =
                    "plain decoding of %s (%s, %s)"
                            .formatted(target.name(), target.backend(), digest);
            var sampling = ready.variants().getFirst().sampling();
            var before = report(subject(), plain, sampling, hash, run.plan());
            if (!json) {
                out().print(before.before());
                out().flush();
            }
            if (dry) {
                out().print(json ? Json.pretty(before) : "");
                return ExitCode.OK;
            }
            return shown(before.with(Optional.of(outcome(run, server, folder))), folder);
        } finally {
            models.forEach(LoadedModels::close);
        }
    }

    private String subject() {
        return url.map(Object::toString).orElseGet(() -> traces.orElseThrow().toString());
    }

    private int compared(
            ExperimentConfig experiment, String hash, Server server, Settings settings, Path folder)
            throws InterruptedException {
        try (var progress = new ConsoleProgress(context().console(), "comparing")) {
            progress.at("", 0, requests);
            var outcome =
                    AuditRun.compare(
                            server,
                            experiment,
                            List.of(read("--on", on), read("--off", off)),
                            settings,
                            folder,
                            progress,
                            context().interrupted());
            var plan = new Plan(alpha, requests, experiment.maxTokens(), List.of());
            var sampling = "T = " + experiment.sampling().temperature();
            var report =
                    report(subject() + " with " + on, "itself with " + off, sampling, hash, plan)
                            .with(Optional.of(outcome));
            if (!json) {
                out().print(report.before());
            }
            return shown(report, folder);
        }
    }

    private static AuditReport report(
            String subject, String target, String sampling, String hash, Plan plan) {
        var version = CommandContext.version();
        return new AuditReport(subject, target, sampling, hash, version, plan, Optional.empty());
    }

    private int shown(AuditReport report, Path folder) {
        report.write(folder);
        out().print(json ? Json.pretty(report) : report.after());
        if (!json) {
            out().println("Page: " + folder.resolve("audit.html"));
        }
        if (report.outcome().orElseThrow().verdict() == Verdict.DIFFERENT) {
            return ExitCode.REJECTED;
        }
        return context().interruption().requested() ? ExitCode.INTERRUPTED : ExitCode.OK;
    }

    private Outcome outcome(AuditRun run, Optional<Server> server, Path folder)
            throws InterruptedException {
        try (var progress = new ConsoleProgress(context().console(), "auditing")) {
            progress.at("", 0, requests);
            return traces.isPresent()
                    ? run.read(traces.get(), progress, context().interrupted())
                    : run.ask(server.orElseThrow(), folder, progress, context().interrupted());
        }
    }

    private Settings settings(ExperimentConfig experiment) {
        try {
            return new Settings(
                    requests,
                    alpha,
                    gap,
                    length,
                    !single,
                    !experiment.ignoreEndOfSequence(),
                    experiment.maxTokens(),
                    seed.orElse(experiment.seed()));
        } catch (IllegalArgumentException e) {
            throw wrong("--" + e.getMessage());
        }
    }

    private Server server(URI address) {
        var key =
                keyVariable.map(System::getenv).map(String::strip).filter(each -> !each.isEmpty());
        require(
                key.isPresent() == keyVariable.isPresent(),
                "--key-variable",
                keyVariable.orElse(""),
                "an environment variable with a key in it");
        require(
                !fields.containsKey("stop") && !fields.containsKey("stop_token_ids"),
                "--field",
                fields,
                "no stop and no stop_token_ids: a text that they cut does not show its end");
        return new Server(address, model, key, bare, read("--field", fields));
    }

    private Map<String, JsonNode> read(String option, Map<String, String> given) {
        var read = new LinkedHashMap<String, JsonNode>();
        given.forEach((name, text) -> {
            try {
                read.put(name, Json.tree(text));
            } catch (IllegalStateException e) {
                throw wrong("%s %s is '%s', expected JSON".formatted(option, name, text));
            }
        });
        return read;
    }

    private List<Weights> weights(List<LoadedModels> models) {
        var weights = new ArrayList<Weights>();
        var changes = new LinkedHashMap<String, String>();
        others.forEach((name, path) -> changes.put(name, "target.path=" + quoted(path)));
        precisions.forEach(each -> changes.put(each, "target.precision=" + each));
        changes.forEach(
                (name, change) -> weights.add(new Weights(name, open(models, change).target())));
        return weights;
    }

    private String quoted(String path) {
        return YamlText.quoted(context().local(path).toAbsolutePath().toString());
    }

    /// Opens the target's back end with one key changed.
    private LoadedModels open(List<LoadedModels> models, String change) {
        var sets = new ArrayList<>(set.values());
        sets.add(change);
        var target = context().experiment(config, sets).config().target();
        var opened = LoadedModels.open(target.factory(), target.config());
        models.add(opened);
        return opened;
    }
}
