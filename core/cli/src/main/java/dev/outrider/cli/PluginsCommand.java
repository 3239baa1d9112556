package dev.outrider.cli;

import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.Components.Installed;
import dev.outrider.engine.plugins.InstalledPlugin;
import dev.outrider.spi.config.Doc;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// The command `outrider plugins`: the components that a configuration may name after `use:`.
@Command(
        name = "plugins",
        subcommands = {
            PluginsCommand.Names.class,
            PluginsCommand.Describe.class,
            PluginsCommand.Reference.class,
            PluginsCheckCommand.class,
            PluginsNewCommand.class
        })
final class PluginsCommand {
    /// Returns the plugin of a component, in brackets; empty for Outrider's own.
    private static String origin(Installed<?> component) {
        var origin = component.plugin().origin();
        return origin.equals(InstalledPlugin.CLASS_PATH) ? "" : "[" + origin + "]";
    }

    /// The command `outrider plugins list`.
    @Command(name = "list")
    static final class Names extends Subcommand {

        @Override
        public Integer call() {
            for (ComponentKind<?> kind : ComponentKind.all()) {
                context().plugins().all(kind).all().forEach(component -> print(kind, component));
            }
            return ExitCode.OK;
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
            out().println(text.stripTrailing());
        }
    }

    /// The command `outrider plugins describe`.
    @Command(name = "describe")
    static final class Describe extends Subcommand {
        @Parameters(paramLabel = "NAME")
        private String name = "";

        @Override
        public Integer call() {
            boolean found = false;
            for (ComponentKind<?> kind : ComponentKind.all()) {
                var component = context().plugins().all(kind).find(name);
                component.ifPresent(each -> print(kind, each));
                found |= component.isPresent();
            }
            if (!found) {
                throw context().plugins().unknown(name);
            }
            return ExitCode.OK;
        }

        private void print(ComponentKind<?> kind, Installed<?> component) {
            out().println(
                            "%s %s %s"
                                    .formatted(kind.label(), name, origin(component))
                                    .stripTrailing());
            ReferencePage.lines(component.configType()).forEach(out()::println);
        }
    }

    /// The command `outrider plugins reference`.
    @Command(name = "reference")
    static final class Reference extends Subcommand {

        @Override
        public Integer call() {
            out().print(new ReferencePage(context().plugins()).text());
            return ExitCode.OK;
        }
    }
}
