package dev.outrider.cli;

import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.Components.Installed;
import dev.outrider.engine.plugins.InstalledPlugin;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.spi.config.Doc;
import jakarta.inject.Inject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command `outrider plugins`: what a configuration may put after `use:`.
@Command(
        name = "plugins",
        description = "Shows the targets, drafters, rules and others that a configuration can use.",
        subcommands = {
            PluginsCommand.Names.class,
            PluginsCommand.Describe.class,
            PluginsCommand.Reference.class,
            PluginsCheckCommand.class,
            PluginsNewCommand.class
        },
        footer = {
            "  outrider plugins list",
            "  outrider plugins describe small-model",
            "  outrider plugins reference",
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
                spec.commandLine(),
                "Missing required subcommand: list, describe, reference, check or new");
    }

    /// In brackets, which plugin brings a component; empty for Outrider's own.
    private static String origin(Installed<?> component) {
        var origin = component.plugin().origin();
        return origin.equals(InstalledPlugin.CLASS_PATH) ? "" : "[" + origin + "]";
    }

    /// The command `outrider plugins list`.
    @Command(
            name = "list",
            description = "Lists names by kind.",
            footer = "  outrider plugins list")
    static final class Names implements Runnable {
        private final Console console;
        private final PluginRegistry registry;

        @Inject
        Names(Console console, PluginRegistry registry) {
            this.console = console;
            this.registry = registry;
        }

        @Override
        public void run() {
            for (ComponentKind<?> kind : ComponentKind.all()) {
                registry.all(kind).all().forEach(component -> print(kind, component));
            }
        }

        private void print(ComponentKind<?> kind, Installed<?> component) {
            var doc = component.configType().getAnnotation(Doc.class);
            var text =
                    "%-11s %-20s %s %s"
                            .formatted(
                                    kind.label(),
                                    component.name(),
                                    doc == null ? "" : doc.value(),
                                    origin(component));
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
        private final PluginRegistry registry;

        @Parameters(paramLabel = "NAME", description = "A name that 'plugins list' shows.")
        private String name = "";

        @Inject
        Describe(Console console, PluginRegistry registry) {
            this.console = console;
            this.registry = registry;
        }

        @Override
        public void run() {
            boolean found = false;
            for (ComponentKind<?> kind : ComponentKind.all()) {
                var component = registry.all(kind).find(name);
                component.ifPresent(each -> print(kind, each));
                found |= component.isPresent();
            }
            if (!found) {
                throw registry.unknown(name);
            }
        }

        private void print(ComponentKind<?> kind, Installed<?> component) {
            console.out()
                    .println(
                            "%s %s %s"
                                    .formatted(kind.label(), name, origin(component))
                                    .stripTrailing());
            KeyList.of(component.configType()).forEach(console.out()::println);
        }
    }

    /// The command `outrider plugins reference`.
    @Command(
            name = "reference",
            description =
                    "Prints a page, in Markdown, of every key of every configuration, installed plugins included.",
            footer = "  outrider plugins reference")
    static final class Reference implements Runnable {
        private final Console console;
        private final PluginRegistry registry;

        @Inject
        Reference(Console console, PluginRegistry registry) {
            this.console = console;
            this.registry = registry;
        }

        @Override
        public void run() {
            console.out().print(new ReferencePage(registry).text());
        }
    }
}
