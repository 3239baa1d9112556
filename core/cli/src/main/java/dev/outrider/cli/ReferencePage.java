package dev.outrider.cli;

import dev.outrider.common.Resource;
import dev.outrider.config.KeyDescription;
import dev.outrider.config.ValueType;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.engine.plugins.Components.Installed;
import dev.outrider.engine.plugins.InstalledPlugin;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.sweep.SweepGridReader;
import dev.outrider.spi.config.Doc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Every key of every configuration as a page of Markdown, made from the configuration records. `docs/reference/configuration.md` is
/// this page without third-party plugins.
final class ReferencePage {
    private final PluginRegistry registry;
    private final StringBuilder page = new StringBuilder();

    /// The place where the keys below a key were shown first; later tables refer to it.
    private final Map<List<KeyDescription>, String> shown = new HashMap<>();

    ReferencePage(PluginRegistry registry) {
        this.registry = registry;
    }

    /// The page.
    String text() {
        page.append(Resource.text(ReferencePage.class, "reference-page.txt"));
        section(
                "An experiment",
                "What `bench`, `generate`, `serve`, `verify-exactness`, `tree optimise` and `sweep` read.");
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
        registry.services(ServiceGroup.TRAINER).all().forEach(this::component);
        section("Exports", "What `export NAME` reads.");
        registry.services(ServiceGroup.HEAD_EXPORT).all().forEach(this::component);
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

    /// @param where the name of this table in later ones; may be empty
    private void table(String where, List<KeyDescription> keys) {
        if (keys.isEmpty()) {
            page.append("No keys.\n");
        } else {
            page.append("| key | type | default | what it is |\n| --- | --- | --- | --- |\n");
            keys.forEach(key -> rows(where, key.name(), key));
        }
        page.append('\n');
    }

    private static String capital(String noun) {
        return Character.toUpperCase(noun.charAt(0)) + noun.substring(1);
    }

    private void rows(String where, String path, KeyDescription key) {
        String standard =
                key.required() ? "" : key.defaultValue().map("`%s`"::formatted).orElse("left out");
        String place = "`%s`%s".formatted(path, where.isEmpty() ? "" : " of " + where);
        String first = shown.getOrDefault(key.nested(), place);
        boolean repeated = !key.nested().isEmpty() && !first.equals(place);
        page.append(
                "| `%s` | %s | %s | %s |\n"
                        .formatted(
                                path,
                                key.type(),
                                cell(standard),
                                cell(key.doc() + (repeated ? " Keys as of " + first + "." : ""))));
        if (!repeated) {
            shown.put(key.nested(), place);
            below(where, path, key);
        }
    }

    private void below(String where, String path, KeyDescription key) {
        for (KeyDescription each : key.nested()) {
            if (each.alternative()) {
                page.append(
                        "| `%s` as `%s` | | | %s |\n"
                                .formatted(path, each.name(), cell(each.doc())));
                below(where, path + inside(key), each);
            } else {
                rows(where, path + inside(key) + "." + each.name(), each);
            }
        }
    }

    /// Returns the separator between a key and the keys of its values.
    private static String inside(KeyDescription key) {
        if (key.type().startsWith(KeyDescription.LIST_OF)) {
            return "[]";
        }
        return key.type().startsWith(KeyDescription.MAPPING_TO) ? ".NAME" : "";
    }

    private static String cell(String text) {
        return text.strip().replace("|", "\\|");
    }

    /// Returns the keys of a configuration as lines for people.
    static List<String> lines(Class<? extends Record> type) {
        var lines = new ArrayList<String>();
        KeyDescription.of(type).forEach(key -> add(key, "  ", lines));
        return lines;
    }

    private static void add(KeyDescription key, String indent, List<String> lines) {
        var need = key.required() ? "required" : "default " + key.defaultValue().orElse("none");
        lines.add(
                "%s%s%s  %s"
                        .formatted(
                                indent,
                                key.name(),
                                key.alternative() ? "" : " (" + key.type() + ", " + need + ")",
                                key.doc()));
        key.nested().forEach(each -> add(each, indent + "  ", lines));
    }
}
