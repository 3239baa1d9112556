package dev.outrider.cli;

import dev.outrider.config.KeyDescription;
import dev.outrider.config.ValueType;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.Components.Installed;
import dev.outrider.engine.plugins.InstalledPlugin;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.sweep.SweepGridReader;
import dev.outrider.spi.config.Doc;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Every key of every configuration as a page of Markdown, made from the configuration records. `docs/reference/configuration.md` is
/// this page without third-party plugins.
final class ReferencePage {
    private final PluginRegistry registry;
    private final StringBuilder page = new StringBuilder();
    private final KeyTables tables = new KeyTables();

    ReferencePage(PluginRegistry registry) {
        this.registry = registry;
    }

    /// The page.
    String text() {
        page.append(
                """
                # Every key of a configuration

                Written by `./outrider plugins reference`, from the records that configurations are read into.

                A key is written in camel case or with hyphens (`maxTokens`, `max-tokens`). What the table calls `sampling.temperature` stands below `sampling`, and is
                `--set sampling.temperature=0.7` on a command line; `variants[].name` stands in every item of the list, `--set variants[0].name=mine`. A key without a
                default must be given, unless the table says that it can be left out. Where one of several forms is meant, `tree as chain`, it is written `tree: chain`,
                `tree: {use: chain, ...}`, `tree: {chain: ...}` or with its keys alone.

                What acceptance rules do and which drafts they are exact for: [rules.md](rules.md).

                """);
        section(
                "An experiment",
                "What `bench`, `generate`, `verify-exactness`, `tree optimise` and `sweep` read.");
        table(
                "",
                Stream.concat(
                                KeyDescription.of(ExperimentConfig.class).stream(),
                                Stream.of(SweepGridReader.key()))
                        .toList());
        for (ComponentKind<?> kind : ComponentKind.all()) {
            section(
                    capital(kind.plural()),
                    "What `use` may name where a key is of type %s.".formatted(kind.noun()));
            registry.all(kind).all().forEach(this::component);
        }
        section("Training", "What `train NAME` reads.");
        registry.services(CommandKinds.TRAINER).all().forEach(this::component);
        section("Draft benches", "What `bench-draft NAME` reads.");
        registry.services(CommandKinds.DRAFT_BENCH).all().forEach(this::component);
        section("Exports", "What `export NAME` reads.");
        registry.services(CommandKinds.HEAD_EXPORT).all().forEach(this::component);
        section(
                "Types",
                "What a component of a configuration record may be. A component with `@Default` can be left out; a type that is not"
                        + " here is refused with `PLUGIN_INVALID`.");
        page.append(types());
        return page.toString();
    }

    /// The types that a configuration record may have, as a table.
    static String types() {
        var table = new StringBuilder("| in the record | in YAML |\n| --- | --- |\n");
        ValueType.all()
                .forEach(type -> table.append("| %s | %s |\n".formatted(type.java(), type.yaml())));
        return table.toString();
    }

    private void component(Installed<?> component) {
        var origin = component.plugin().origin();
        page.append("### ").append(component.name());
        page.append(origin.equals(InstalledPlugin.CLASS_PATH) ? "" : " (" + origin + ")");
        page.append("\n\n");
        Optional.ofNullable(component.configType().getAnnotation(Doc.class))
                .ifPresent(doc -> page.append(doc.value()).append("\n\n"));
        table(component.name(), KeyDescription.of(component.configType()));
    }

    private void section(String title, String what) {
        page.append("## ").append(title).append("\n\n").append(what).append("\n\n");
    }

    private void table(String where, List<KeyDescription> keys) {
        page.append(keys.isEmpty() ? "No keys.\n" : tables.of(where, keys)).append('\n');
    }

    private static String capital(String noun) {
        return Character.toUpperCase(noun.charAt(0)) + noun.substring(1);
    }
}
