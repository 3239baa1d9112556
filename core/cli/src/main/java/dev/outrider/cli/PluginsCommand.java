package dev.outrider.cli;

import dev.outrider.engine.plugins.InstalledPlugin;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.experiment.run.Catalog;
import dev.outrider.spi.AcceptanceRuleFactory;
import dev.outrider.spi.Doc;
import dev.outrider.spi.DrafterFactory;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.TargetFactory;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command `outrider plugins`: what a configuration may put after `use:`.
@Command(
        name = "plugins",
        description = "Shows which targets, drafters and acceptance rules a configuration can use.",
        subcommands = {
            PluginsCommand.Names.class,
            PluginsCommand.Describe.class,
            PluginsCheckCommand.class,
            PluginsNewCommand.class
        },
        footer = {
            "  outrider plugins list",
            "  outrider plugins describe small-model",
            "  outrider plugins check plugins/my-drafter",
            "  outrider plugins new my-drafter"
        })
final class PluginsCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Inject
    PluginsCommand() {}

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Missing required subcommand: list, describe, check or new");
    }

    /// Everything that is installed.
    static final class Installed {
        private final SortedMap<String, SortedMap<String, Class<? extends Record>>> kinds =
                new TreeMap<>();
        private final Map<String, SortedMap<String, String>> origins = new HashMap<>();

        @Inject
        Installed(Catalog catalog, PluginRegistry registry) {
            origins.put("target", registry.targets().origins());
            origins.put("drafter", registry.drafters().origins());
            origins.put("rule", registry.acceptanceRules().origins());
            kinds.put("target", types(catalog.targets(), TargetFactory::configType));
            kinds.put("drafter", types(catalog.drafters(), DrafterFactory::configType));
            kinds.put("rule", types(catalog.rules(), AcceptanceRuleFactory::configType));
        }

        private static <F> SortedMap<String, Class<? extends Record>> types(
                Map<String, F> factories, Function<F, Class<? extends Record>> type) {
            var types = new TreeMap<String, Class<? extends Record>>();
            factories.forEach((name, factory) -> types.put(name, type.apply(factory)));
            return types;
        }

        /// In brackets, which plugin brings a component; empty for Outrider's own.
        private String origin(String kind, String name) {
            var origin =
                    origins.getOrDefault(kind, new TreeMap<>())
                            .getOrDefault(name, InstalledPlugin.CLASS_PATH);
            return origin.equals(InstalledPlugin.CLASS_PATH) ? "" : "[" + origin + "]";
        }
    }

    /// The command `outrider plugins list`.
    @Command(
            name = "list",
            description = "Lists names by kind.",
            footer = "  outrider plugins list")
    static final class Names implements Runnable {
        private final Console console;
        private final Installed installed;

        @Inject
        Names(Console console, Installed installed) {
            this.console = console;
            this.installed = installed;
        }

        @Override
        public void run() {
            installed.kinds.forEach(
                    (kind, records) -> records.forEach((name, type) -> print(kind, name, type)));
        }

        private void print(String kind, String name, Class<? extends Record> type) {
            var doc = type.getAnnotation(Doc.class);
            var text =
                    "%-8s %-20s %s %s"
                            .formatted(
                                    kind,
                                    name,
                                    doc == null ? "" : doc.value(),
                                    installed.origin(kind, name));
            console.out().println(text.stripTrailing());
        }
    }

    /// The command `outrider plugins describe`.
    @Command(
            name = "describe",
            description = "Explains the keys that a configuration can give to one of them.",
            footer = "  outrider plugins describe small-model")
    static final class Describe implements Runnable {
        private final Console console;
        private final Installed installed;

        @Parameters(paramLabel = "NAME", description = "A name that 'plugins list' shows.")
        private String name = "";

        @Inject
        Describe(Console console, Installed installed) {
            this.console = console;
            this.installed = installed;
        }

        @Override
        public void run() {
            boolean found = false;
            for (var kind : installed.kinds.entrySet()) {
                var type = kind.getValue().get(name);
                if (type != null) {
                    found = true;
                    console.out()
                            .println(
                                    "%s %s %s"
                                            .formatted(
                                                    kind.getKey(),
                                                    name,
                                                    installed.origin(kind.getKey(), name))
                                            .stripTrailing());
                    KeyList.of(type).forEach(console.out()::println);
                }
            }
            if (!found) {
                throw new OutriderException(
                        ErrorCode.UNKNOWN_COMPONENT,
                        "there is no target, drafter or rule '%s'".formatted(name),
                        "'outrider plugins list' shows the names.");
            }
        }
    }
}
