package dev.outrider.cli;

import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.Components.Installed;
import dev.outrider.engine.plugins.PluginRegistry.InstalledPlugin;
import dev.outrider.spi.config.Doc;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

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
final class PluginsCommand {
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
        private final CommandContext context;

        Names(CommandContext context) {
            this.context = context;
        }

        @Override
        public void run() {
            for (ComponentKind<?> kind : ComponentKind.all()) {
                context.plugins().all(kind).all().forEach(component -> print(kind, component));
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
            context.out().println(text.stripTrailing());
        }
    }

    /// The command `outrider plugins describe`.
    @Command(
            name = "describe",
            description = "Explains the keys that a configuration can give to one of them.",
            footer = "  outrider plugins describe small-model")
    static final class Describe implements Runnable {
        private final CommandContext context;

        @Parameters(paramLabel = "NAME", description = "A name that 'plugins list' shows.")
        private String name = "";

        Describe(CommandContext context) {
            this.context = context;
        }

        @Override
        public void run() {
            boolean found = false;
            for (ComponentKind<?> kind : ComponentKind.all()) {
                var component = context.plugins().all(kind).find(name);
                component.ifPresent(each -> print(kind, each));
                found |= component.isPresent();
            }
            if (!found) {
                throw context.plugins().unknown(name);
            }
        }

        private void print(ComponentKind<?> kind, Installed<?> component) {
            context.out()
                    .println(
                            "%s %s %s"
                                    .formatted(kind.label(), name, origin(component))
                                    .stripTrailing());
            ReferencePage.lines(component.configType()).forEach(context.out()::println);
        }
    }

    /// The command `outrider plugins reference`.
    @Command(
            name = "reference",
            description =
                    "Prints a page, in Markdown, of every key of every configuration, installed plugins included.",
            footer = "  outrider plugins reference")
    static final class Reference implements Runnable {
        private final CommandContext context;

        Reference(CommandContext context) {
            this.context = context;
        }

        @Override
        public void run() {
            context.out().print(new ReferencePage(context.plugins()).text());
        }
    }
}
