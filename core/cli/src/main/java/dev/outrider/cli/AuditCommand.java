package dev.outrider.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.audit.Audit.Outcome;
import dev.outrider.audit.Audit.Settings;
import dev.outrider.audit.Audit.Verdict;
import dev.outrider.audit.Audit.Weights;
import dev.outrider.audit.AuditReport;
import dev.outrider.audit.AuditRun;
import dev.outrider.audit.ServerClient.Server;
import dev.outrider.config.YamlText;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.LoadedExperiment.Learners;
import dev.outrider.nn.target.PassThreads;
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

/// The command `outrider audit`: does anybody's server follow the distribution of given weights?
@Command(name = "audit")
final class AuditCommand extends Subcommand {
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
        var experiment = loaded.config().withVariants(List.of());
        var settings = settings(experiment);
        LoadedExperiment.checkWithPrompts(experiment, loaded.effective());
        PassThreads.use(experiment.threads());
        var models = new ArrayList<LoadedModels>();
        try (var ready = context().load(experiment, false, Learners.REFUSED)) {
            var weights = weights(models);
            var drafter = draft.map(path -> open(models, "target.path=" + quoted(path)).target());
            var run =
                    new AuditRun(
                            experiment, ready, weights, drafter, settings, context().interrupted());
            var description = ready.target().description();
            var before =
                    new AuditReport(
                            url.map(Object::toString).orElseGet(() -> traces.orElseThrow().toString()),
                            "%s (%s, %s)"
                                    .formatted(
                                            description.name(),
                                            description.backend(),
                                            description.digest().substring(
                                                    0, Math.min(12, description.digest().length()))),
                            ready.variants().getFirst().sampling(),
                            loaded.effective().configHash(),
                            CommandContext.version(),
                            run.plan(),
                            Optional.empty());
            if (!json) {
                out().print(before.before());
                out().flush();
            }
            var folder =
                    AuditRun.folder(
                            out,
                            experiment.name(),
                            loaded.effective().configHash(),
                            server,
                            settings.seed());
            var outcome =
                    dry ? Optional.<Outcome>empty() : Optional.of(outcome(run, server, folder));
            var report = before.with(outcome);
            if (!dry) {
                report.write(folder);
            }
            out().print(json ? Json.pretty(report) : report.after());
            if (!dry && !json) {
                out().println("Page: " + folder.resolve("audit.html"));
            }
            boolean different =
                    outcome.filter(each -> each.verdict() == Verdict.DIFFERENT).isPresent();
            return different ? ExitCode.REJECTED : ExitCode.OK;
        } finally {
            models.forEach(LoadedModels::close);
        }
    }

    private Outcome outcome(AuditRun run, Optional<Server> server, Path folder)
            throws InterruptedException {
        try (var progress = new ConsoleProgress(context().console(), "auditing")) {
            AuditRun.Progress shown = (done, of) -> progress.at("", done, of);
            shown.at(0, requests);
            return traces.isPresent()
                    ? run.read(traces.get(), shown, context().interrupted())
                    : run.ask(server.orElseThrow(), folder, shown, context().interrupted());
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
                    seed.orElse(experiment.seed()));
        } catch (IllegalArgumentException e) {
            throw wrong("--" + e.getMessage());
        }
    }

    private Server server(URI address) {
        var read = new LinkedHashMap<String, JsonNode>();
        fields.forEach((name, text) -> read.put(name, json(name, text)));
        var key =
                keyVariable.map(variable -> {
                    var value = System.getenv(variable);
                    if (value == null || value.isBlank()) {
                        throw wrong(
                                "--key-variable is %s, expected an environment variable with a key in it"
                                        .formatted(variable));
                    }
                    return value;
                });
        return new Server(address, model, key, bare, read);
    }

    private JsonNode json(String name, String text) {
        try {
            return Json.tree(text);
        } catch (IllegalStateException e) {
            throw wrong("--field %s is '%s', expected JSON".formatted(name, text));
        }
    }

    private List<Weights> weights(List<LoadedModels> models) {
        var weights = new ArrayList<Weights>();
        others.forEach((name, path) ->
                weights.add(
                        new Weights(name, open(models, "target.path=" + quoted(path)).target())));
        for (var precision : precisions) {
            weights.add(
                    new Weights(
                            precision, open(models, "target.precision=" + precision).target()));
        }
        return weights;
    }

    private String quoted(String path) {
        return YamlText.quoted(context().local(path).toAbsolutePath().toString());
    }

    /// The target's back end with one key changed.
    private LoadedModels open(List<LoadedModels> models, String change) {
        var sets = new ArrayList<>(set.values());
        sets.add(change);
        var target = context().experiment(config, sets).config().target();
        var opened = LoadedModels.open(target.factory(), target.config());
        models.add(opened);
        return opened;
    }
}
