package dev.outrider.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A component that a program selects: the equivalent of `key: {use: NAME, ...}` in a file.
///
/// @param key      of the bound record, such as `drafter`
/// @param use      the component's name
/// @param settings its other keys, spelled as in YAML. Values are texts, numbers, booleans, paths,
///     enum constants, lists, and maps of these
public record ProgramComponent(String key, String use, Map<String, ?> settings) {
    /// Returns the call that messages name.
    String call() {
        return "%s(\"%s\")".formatted(key, use);
    }

    /// Builds from a program's components the tree that a YAML file would give, so both pass the
    /// same checks. Confined to one load.
    record Tree(Problems problems) {
        /// Returns a mapping with a key for each component.
        ///
        /// @param source origin of a missing component
        YamlNode of(List<ProgramComponent> given, String source) {
            List<YamlNode.Entry> entries = new ArrayList<>();
            for (ProgramComponent component : given) {
                var origin = Origin.program(entries.size(), component.call());
                entries.add(new YamlNode.Entry(component.key(), origin, node(component, origin)));
            }
            return new YamlNode.Mapping(entries, Origin.program(entries.size(), source));
        }

        private YamlNode node(ProgramComponent component, Origin origin) {
            var location = new SourceLocation(component.key(), origin);
            List<YamlNode.Entry> entries = new ArrayList<>();
            entries.add(
                    new YamlNode.Entry(
                            Names.USE, origin, new YamlNode.Scalar(component.use(), true, origin)));
            entries.addAll(entries(component.settings(), location));
            return new YamlNode.Mapping(entries, origin);
        }

        /// Sorted by key, because the order of a Java map may differ from run to run.
        private List<YamlNode.Entry> entries(Map<?, ?> values, SourceLocation location) {
            var sorted = new TreeMap<String, YamlNode>();
            values.forEach((name, value) -> {
                String key = String.valueOf(name);
                sorted.put(key, node(value, location.key(key, location.origin())));
            });
            return sorted.entrySet().stream()
                    .map(each ->
                            new YamlNode.Entry(each.getKey(), location.origin(), each.getValue()))
                    .toList();
        }

        private YamlNode node(@Nullable Object value, SourceLocation location) {
            Origin origin = location.origin();
            return switch (value) {
                case null -> new YamlNode.Scalar("", false, origin);
                case Number number -> new YamlNode.Scalar(number.toString(), false, origin);
                case Boolean truth -> new YamlNode.Scalar(truth.toString(), false, origin);
                case CharSequence text -> new YamlNode.Scalar(text.toString(), true, origin);
                case Path path -> new YamlNode.Scalar(path.toString(), true, origin);
                case Enum<?> constant ->
                        new YamlNode.Scalar(Names.kebab(constant.name()), true, origin);
                case Map<?, ?> map -> new YamlNode.Mapping(entries(map, location), origin);
                case List<?> list -> new YamlNode.Sequence(items(list, location), origin);
                default -> unknown(value, location);
            };
        }

        private List<YamlNode> items(List<?> list, SourceLocation location) {
            List<YamlNode> items = new ArrayList<>();
            for (Object item : list) {
                items.add(node(item, location.item(items.size(), location.origin())));
            }
            return items;
        }

        /// Adds a problem and returns a placeholder.
        private YamlNode unknown(Object value, SourceLocation location) {
            problems.add(
                    location,
                    "expected a text, a number, a truth value, a path, an enum constant, a list or a map, got a %s"
                            .formatted(value.getClass().getName()));
            return new YamlNode.Scalar("", false, location.origin());
        }
    }
}
