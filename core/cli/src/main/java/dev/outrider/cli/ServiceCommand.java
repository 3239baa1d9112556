package dev.outrider.cli;

import dev.outrider.config.Change;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.KeyDescription;
import dev.outrider.config.Loaded;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// A command made for a [Service]: options for its keys, `--config` and `--set`, and every key in the help.
final class ServiceCommand implements Callable<Integer> {
    private static final String CONFIG = "--config";
    private static final String SET = "--set";

    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
    private final Service service;
    private final ConfigLoader loader;
    private final HubModels models;
    private final Action action;
    private final ConfigOptions options;

    /// What the command does with its configuration.
    @FunctionalInterface
    interface Action {
        /// Does it, and returns the exit code.
        int run(Loaded<? extends Record> loaded, ParseResult parsed);
    }

    /// @param nested whether keys of nested records are options too
    /// @param extra  further options
    private ServiceCommand(
            Service service,
            boolean nested,
            List<OptionSpec> extra,
            ConfigLoader loader,
            HubModels models,
            Action action) {
        this.service = service;
        this.loader = loader;
        this.models = models;
        this.action = action;
        options = new ConfigOptions(KeyDescription.of(service.config()), nested);
        spec.name(service.name());
        spec.mixinStandardHelpOptions(true);
        spec.addOption(
                OptionSpec.builder(CONFIG)
                        .paramLabel("FILE")
                        .type(Path.class)
                        .description("The configuration; keys can be given by options alone.")
                        .build());
        spec.addOption(
                OptionSpec.builder(SET)
                        .paramLabel("KEY=VALUE")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description(
                                "Change a key of the configuration; can be given more than once.")
                        .build());
        extra.forEach(spec::addOption);
        options.addTo(spec);
        help();
    }

    /// The command.
    static CommandSpec of(
            Service service,
            boolean nested,
            List<OptionSpec> extra,
            ConfigLoader loader,
            HubModels models,
            Action action) {
        return new ServiceCommand(service, nested, extra, loader, models, action).spec;
    }

    private void help() {
        var about = service.about();
        spec.usageMessage()
                .description(
                        Stream.of(about.description(), "", about.details())
                                .limit(about.details().isEmpty() ? 1 : 3)
                                .map(line -> line.replace("%", "%%"))
                                .toArray(String[]::new))
                .footer(
                        Stream.of(
                                        about.examples().stream()
                                                .map(example -> "  outrider " + example),
                                        Stream.of("", "Keys of the configuration:"),
                                        KeyList.of(service.config()).stream())
                                .flatMap(lines -> lines)
                                .map(line -> line.replace("%", "%%"))
                                .toArray(String[]::new));
    }

    @Override
    public Integer call() {
        var parsed = spec.commandLine().getParseResult();
        return action.run(models.ready(() -> load(parsed)), parsed);
    }

    private Loaded<? extends Record> load(ParseResult parsed) {
        List<String> given = parsed.matchedOptionValue(SET, List.of());
        var changes = new ArrayList<>(Change.set(given));
        changes.addAll(options.changes(parsed));
        Optional<Path> file = Optional.ofNullable(parsed.matchedOptionValue(CONFIG, null));
        return file.isPresent()
                ? loader.loadWith(file.get(), service.config(), changes)
                : loader.parseWith(
                        "{}",
                        "the command line",
                        Path.of("").toAbsolutePath(),
                        service.config(),
                        changes);
    }
}
