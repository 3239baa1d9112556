package dev.outrider.config;

import java.util.Map;

/// A component that a program chooses: what `key: {use: NAME, ...}` says in a file.
///
/// @param key      of the record that is bound to, such as `drafter`
/// @param use      the component's name
/// @param settings its other keys, spelled as in YAML. Values are texts, numbers, truth values, paths, enum constants, lists, and
///                 maps of these
public record ProgramComponent(String key, String use, Map<String, ?> settings) {
    /// The call that messages name.
    String call() {
        return "%s(\"%s\")".formatted(key, use);
    }
}
