package dev.outrider.cli;

import dev.outrider.config.Change;
import dev.outrider.config.KeyDescription;
import dev.outrider.config.Loaded;
import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.drafting.export.HeadExport;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.Components;
import dev.outrider.engine.plugins.Components.Installed;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.engine.plugins.PluginRegistry.InstalledPlugin;
import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.training.TrainerFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;

/// A command whose subcommands are the installed services of one kind, such as `train medusa`. Each subcommand has options for the keys of
/// its configuration, `--config` and `--set`, and lists every key in its help.
///
/// @param <F> the type of the services
abstract class ServiceGroup<F extends ComponentFactory<?>> extends Subcommand {
    static final ComponentKind<TrainerFactory<?>> TRAINER =
            ComponentKind.service("trainer", TrainerFactory.class);
    static final ComponentKind<DraftBench<?>> DRAFT_BENCH =
            ComponentKind.service("draft bench", DraftBench.class);
    static final ComponentKind<HeadExport<?>> HEAD_EXPORT =
            ComponentKind.service("head export", HeadExport.class);

    private static final String CONFIG = "--config";
    private static final String SET = "--set";

    private final ComponentKind<F> kind;
    private final boolean nested;
    private final Function<F, About> about;

    @Parameters(hidden = true)
    private List<String> unknown = new ArrayList<>();

    /// The text that help and lists show for a service.
    ///
    /// @param description one sentence
    /// @param details     more, or nothing
    /// @param examples    command lines
    record About(String description, String details, List<String> examples) {
        About {
            Objects.requireNonNull(description, "no description");
            Objects.requireNonNull(details, "no details");
            examples = List.copyOf(examples);
        }
    }

    /// @param nested whether keys of nested records are options too
    ServiceGroup(ComponentKind<F> kind, boolean nested, Function<F, About> about) {
        this.kind = kind;
        this.nested = nested;
        this.about = about;
    }

    /// Returns the kinds of services, in the order of lists.
    static List<ComponentKind<?>> kinds() {
        return List.of(TRAINER, DRAFT_BENCH, HEAD_EXPORT);
    }

    /// Adds the subcommands of every group to the program. A word that names none of them is left to the group itself.
    static void addAll(CommandLine program) {
        for (var command : program.getSubcommands().values()) {
            if (command.getCommand() instanceof ServiceGroup<?> group) {
                group.addTo(command);
                command.getCommandSpec().parser().stopAtPositional(true);
                command.getCommandSpec().usageMessage().parameterListHeading("");
            }
        }
    }

    private void addTo(CommandLine command) {
        for (var each : installed().all()) {
            var about = aboutOf(each.factory());
            command.addSubcommand(each.name(), new Member(each, about).spec);
        }
    }

    private Components<F> installed() {
        return context().plugins().services(kind);
    }

    private About aboutOf(F service) {
        return guarded(service, "what it says of itself", () -> about.apply(service));
    }

    /// Calls a service; failures of a plugin's code become errors that name the plugin.
    <T> T guarded(F service, String what, Supplier<T> call) {
        return Factories.made(kind, service, what, call::get);
    }

    /// Lists the services. Reached when no installed name was given.
    @Override
    public Integer call() {
        unknown.stream().findFirst().ifPresent(installed()::require);
        for (var each : installed().all()) {
            var origin = each.plugin().origin();
            var from = origin.equals(InstalledPlugin.CLASS_PATH) ? "" : " [" + origin + "]";
            out().println(
                            "%-12s %s%s"
                                    .formatted(
                                            each.name(),
                                            aboutOf(each.factory()).description(),
                                            from));
        }
        return ExitCode.OK;
    }

    /// Returns further options of the subcommand of a service.
    List<OptionSpec> options(F service) {
        return List.of();
    }

    /// Runs a service with its configuration, and returns the exit code.
    abstract int run(F service, Loaded<? extends Record> loaded, ParseResult parsed);

    /// The subcommand of one service.
    private final class Member implements Callable<Integer> {
        private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
        private final Installed<F> service;
        private final ConfigOptions keys;

        Member(Installed<F> service, About about) {
            this.service = service;
            keys = new ConfigOptions(KeyDescription.of(service.configType()), nested);
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
            options(service.factory()).forEach(spec::addOption);
            keys.addTo(spec);
            var details =
                    about.details().isEmpty()
                            ? Stream.<String>of()
                            : Stream.of("", about.details());
            var footer =
                    Stream.of(
                                    about.examples().stream().map("  outrider "::concat),
                                    Stream.of("", "Keys of the configuration:"),
                                    ReferencePage.lines(service.configType()).stream())
                            .flatMap(lines -> lines);
            spec.usageMessage()
                    .description(escaped(Stream.concat(Stream.of(about.description()), details)))
                    .footer(escaped(footer));
        }

        private static String[] escaped(Stream<String> lines) {
            return lines.map(line -> line.replace("%", "%%")).toArray(String[]::new);
        }

        @Override
        public Integer call() {
            var parsed = spec.commandLine().getParseResult();
            return run(service.factory(), context().ready(() -> load(parsed)), parsed);
        }

        private Loaded<? extends Record> load(ParseResult parsed) {
            List<String> given = parsed.matchedOptionValue(SET, List.of());
            var changes = new ArrayList<>(Change.set(given));
            changes.addAll(keys.changes(parsed));
            Optional<Path> file = Optional.ofNullable(parsed.matchedOptionValue(CONFIG, null));
            return file.isPresent()
                    ? context().loader().loadWith(file.get(), service.configType(), changes)
                    : context()
                            .loader()
                            .parseWith(
                                    "{}",
                                    "the command line",
                                    Path.of("").toAbsolutePath(),
                                    service.configType(),
                                    changes);
        }
    }
}
