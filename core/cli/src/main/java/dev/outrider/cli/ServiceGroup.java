package dev.outrider.cli;

import dev.outrider.common.CommandService;
import dev.outrider.config.ConfigLoader.Change;
import dev.outrider.config.KeyDescription;
import dev.outrider.config.Loaded;
import dev.outrider.config.YamlText;
import dev.outrider.drafting.export.HeadExport;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.Components;
import dev.outrider.engine.plugins.Components.Installed;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.engine.plugins.InstalledPlugin;
import dev.outrider.training.TrainerFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;

/// A command whose subcommands are the installed services of one kind, such as `train medusa`. Each subcommand has options for the keys of
/// its configuration, `--config` and `--set`, and lists every key in its help.
///
/// @param <F> the type of the services
abstract class ServiceGroup<F extends CommandService<?>> extends Subcommand {
    static final ComponentKind<TrainerFactory<?>> TRAINER =
            ComponentKind.service("trainer", TrainerFactory.class);
    static final ComponentKind<HeadExport<?>> HEAD_EXPORT =
            ComponentKind.service("head export", HeadExport.class);

    private static final String CONFIG = "--config";
    private static final String SET = "--set";

    private final ComponentKind<F> kind;

    @Parameters(hidden = true)
    private List<String> unknown = new ArrayList<>();

    /// The text that help and lists show for a service.
    ///
    /// @param description one sentence
    /// @param details     further text; may be empty
    /// @param examples    command lines
    record About(String description, String details, List<String> examples) {
        About {
            Objects.requireNonNull(description, "no description");
            Objects.requireNonNull(details, "no details");
            examples = List.copyOf(examples);
        }
    }

    ServiceGroup(ComponentKind<F> kind) {
        this.kind = kind;
    }

    /// Returns the kinds of services, in the order of lists.
    static List<ComponentKind<?>> kinds() {
        return List.of(TRAINER, HEAD_EXPORT);
    }

    /// Adds the subcommands of every group that is read. An unknown word is left to the group itself.
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
        return guarded(
                service,
                "what it says of itself",
                () -> new About(service.description(), service.details(), service.examples()));
    }

    /// Calls a service; failures of a plugin's code become errors that name the plugin.
    <T> T guarded(F service, String what, Supplier<T> call) {
        return Factories.made(kind, service, what, call::get);
    }

    /// Lists the services. Called if no installed name was given.
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
            keys = new ConfigOptions(KeyDescription.of(service.configType()));
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
                    : context().parsed("{}", "the command line", service.configType(), changes);
        }
    }

    /// Options of a command for keys of its configuration that are single values, or lists of them: `--end-of-text` is the key
    /// `endOfText`.
    static final class ConfigOptions {
        private static final String LIST = "list of ";
        private static final Set<String> BARE = Set.of("integer", "number", "true or false");

        private final Map<String, KeyDescription> keys = new LinkedHashMap<>();

        ConfigOptions(List<KeyDescription> all) {
            all.stream()
                    .filter(key -> key.nested().isEmpty())
                    .forEach(key -> keys.put(option(key.name()), key));
        }

        /// Adds them to a command, without those whose names it already has.
        void addTo(CommandSpec spec) {
            keys.keySet().removeIf(spec.optionsMap()::containsKey);
            keys.forEach((name, key) -> spec.addOption(spec(name, key)));
        }

        private static OptionSpec spec(String name, KeyDescription key) {
            var option =
                    OptionSpec.builder(name)
                            .paramLabel(label(key.type()))
                            .description((key.doc() + " " + need(key)).strip().replace("%", "%%"));
            return (key.type().startsWith(LIST)
                            ? option.type(List.class).auxiliaryTypes(String.class)
                            : option.type(String.class))
                    .build();
        }

        private static String need(KeyDescription key) {
            var choice = key.type().startsWith("one of ") ? key.type() + "; " : "";
            return key.required()
                    ? "(%srequired)".formatted(choice)
                    : key.defaultValue()
                            .map(value -> "(%sdefault: %s)".formatted(choice, value))
                            .orElse("");
        }

        /// Returns the changes of the configuration by the options.
        List<Change> changes(ParseResult parsed) {
            var changes = new ArrayList<Change>();
            keys.forEach((name, key) -> {
                var option = parsed.matchedOption(name);
                if (option != null) {
                    changes.add(
                            new Change(
                                    name + " " + String.join(" ", option.originalStringValues()),
                                    key.name() + "=" + yaml(key, option.getValue())));
                }
            });
            return changes;
        }

        private static String yaml(KeyDescription key, Object value) {
            return value instanceof List<?> list
                    ? list.stream()
                            .map(each -> scalar(key.type().substring(LIST.length()), each))
                            .toList()
                            .toString()
                    : scalar(key.type(), value);
        }

        private static String scalar(String type, Object value) {
            var text = String.valueOf(value);
            return BARE.contains(type) ? text : YamlText.quoted(text);
        }

        private static String option(String key) {
            return "--" + key.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        }

        private static String label(String type) {
            return switch (type.replace(LIST, "")) {
                case "path" -> "PATH";
                case "integer" -> "N";
                case "number" -> "X";
                case "text" -> "TEXT";
                default -> "VALUE";
            };
        }
    }

    /// The command `outrider export`: writes heads in any installed layout.
    @Command(name = "export")
    static final class ExportCommand extends ServiceGroup<HeadExport<?>> {
        ExportCommand() {
            super(HEAD_EXPORT);
        }

        @Override
        int run(HeadExport<?> export, Loaded<? extends Record> loaded, ParseResult parsed) {
            out().println(guarded(export, "write", () -> write(export, loaded.config())));
            return ExitCode.OK;
        }

        private static <C extends Record> String write(HeadExport<C> export, Record config) {
            return export.write(export.configType().cast(config));
        }
    }
}
