package dev.outrider.cli;

import dev.outrider.config.Change;
import dev.outrider.config.KeyDescription;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// Options of a command for keys of its configuration that are single values, or lists of them: `--end-of-text` is the key
/// `endOfText`.
final class ConfigOptions {
    private static final String LIST = "list of ";
    private static final Set<String> BARE = Set.of("integer", "number", "true or false");

    /// A key that is an option.
    ///
    /// @param path as after `--set`
    private record Key(String path, KeyDescription description) {}

    private final Map<String, Key> keys = new LinkedHashMap<>();

    /// @param nested whether keys of nested records are options too
    ConfigOptions(List<KeyDescription> all, boolean nested) {
        add(all, "", nested);
    }

    private void add(List<KeyDescription> all, String prefix, boolean nested) {
        for (var key : all) {
            if (key.nested().isEmpty()) {
                keys.putIfAbsent(option(key.name()), new Key(prefix + key.name(), key));
            } else if (nested && key.type().equals("mapping")) {
                add(key.nested(), prefix + key.name() + ".", true);
            }
        }
    }

    /// Adds them to a command, those aside whose names it has already.
    void addTo(CommandSpec spec) {
        keys.keySet().removeIf(spec.optionsMap()::containsKey);
        keys.forEach((name, key) -> spec.addOption(spec(name, key.description())));
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

    /// Returns the changes that the options make to the configuration.
    List<Change> changes(ParseResult parsed) {
        var changes = new ArrayList<Change>();
        keys.forEach((name, key) -> {
            var option = parsed.matchedOption(name);
            if (option != null) {
                changes.add(
                        new Change(
                                name + " " + String.join(" ", option.originalStringValues()),
                                key.path() + "=" + yaml(key.description(), option.getValue())));
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
        return BARE.contains(type) ? text : "'" + text.replace("'", "''") + "'";
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
