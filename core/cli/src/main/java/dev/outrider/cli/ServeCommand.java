package dev.outrider.cli;

import dev.outrider.config.Component;
import dev.outrider.config.YamlText;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.ServeSettings;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.nn.network.NativeMemory;
import dev.outrider.serve.ServedExperiment;
import dev.outrider.serve.Server;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider serve`: a server with the API of OpenAI's completions.
@Command(name = "serve")
final class ServeCommand extends Subcommand {
    private static final int MAX_PORT = 65535;
    private static final long LOOK_MILLIS = 100;

    @Parameters(paramLabel = "CONFIG")
    private Path config = Path.of("");

    @Option(names = "--port", paramLabel = "N", defaultValue = "8000")
    private int port;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "127.0.0.1")
    private String host = "";

    @Mixin private ExperimentOptions options = new ExperimentOptions();

    /// The drafter that drafts from the texts that requests predict.
    ///
    /// @param drafter a lookup
    record Prediction(DrafterChoice drafter) {}

    /// A rule that requests may name.
    record NamedRule(Component<AcceptanceRule.Factory<?>> rule) {}

    @Override
    public Integer call() throws InterruptedException {
        require(port >= 0 && port <= MAX_PORT, "--port", port, "0 to " + MAX_PORT);
        var experiment = options.experiment(context(), config).config();
        var settings = experiment.serve().orElseGet(() -> standard("{}", ServeSettings.class));
        var key = key(settings.access().keyVariable());
        require(
                key.isPresent() || Server.local(host),
                "--host",
                host,
                "an address of this machine alone, such as 127.0.0.1, unless serve.keyVariable names a variable with a key");
        try (var loaded = context().load(experiment, false);
                var lookup = lookup(loaded)) {
            serve(experiment, settings, key, loaded, lookup);
        }
        return ExitCode.OK;
    }

    private void serve(
            ExperimentConfig experiment,
            ServeSettings settings,
            Optional<String> key,
            LoadedExperiment loaded,
            Drafter lookup)
            throws InterruptedException {
        var served =
                ServedExperiment.start(
                        experiment,
                        loaded,
                        settings,
                        NativeMemory.availableBytes() / 2,
                        Optional.of(lookup),
                        rules(),
                        new SecureRandom()::nextLong,
                        context().ticker());
        var place = new Server.Place(host, port, key, line -> err().println(line));
        try (var _ = served.engine();
                var server = Server.start(served, settings, place, InstantSource.system())) {
            out().printf(
                            "Serving %s at http://%s:%d/v1 until Ctrl-C, with a page at http://%2$s:%3$d/.%n",
                            served.name(), place.name(), server.port());
            out().printf("Models: %s.%n", String.join(", ", served.models()));
            out().flush();
            while (!context().interrupted().getAsBoolean()) {
                Thread.sleep(LOOK_MILLIS);
            }
            err().printf(
                            "Requests at work have %d seconds to end.%n",
                            settings.capacity().grace().toSeconds());
            server.close(settings.capacity().grace());
        }
    }

    private Drafter lookup(LoadedExperiment loaded) {
        var chosen = standard("drafter: prompt-lookup", Prediction.class).drafter();
        return Factories.drafter(chosen, loaded::target);
    }

    /// All installed rules that need no settings.
    private Map<String, AcceptanceRule> rules() {
        var rules = new HashMap<String, AcceptanceRule>();
        for (var name : context().plugins().all(ComponentKind.ACCEPTANCE_RULE).names()) {
            try {
                var rule = standard("rule: " + YamlText.quoted(name), NamedRule.class).rule();
                rules.put(name, Factories.rule(rule.factory(), rule.config()));
            } catch (OutriderException e) {
                continue; // it has settings without a standard
            }
        }
        return rules;
    }

    private <C extends Record> C standard(String yaml, Class<C> type) {
        return context().parsed(yaml, "serve", type, List.of()).config();
    }

    private Optional<String> key(String variable) {
        if (variable.isEmpty()) {
            return Optional.empty();
        }
        var value = Optional.ofNullable(System.getenv(variable)).filter(text -> !text.isBlank());
        require(
                value.isPresent(),
                "serve.keyVariable",
                variable,
                "an environment variable with a key in it");
        return value;
    }
}
