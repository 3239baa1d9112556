package dev.outrider.config;

import dev.outrider.spi.error.OutriderException;
import java.util.Optional;

/// A configuration that was read and is not bound yet: values with their positions. For files that
/// have more than the keys of a record, such as the axes of a sweep. Immutable except for its
/// problems, which documents made from it share.
///
/// @param root     of the tree
/// @param problems so far; readers of a part of the document add to them
public record ConfigDocument(String source, YamlNode root, Problems problems, Binder binder) {
    /// The key that selects a component or an alternative by name.
    public static final String USE = Names.USE;

    /// Returns an entry of the outermost mapping.
    public Optional<YamlNode.Entry> entry(String key) {
        return root instanceof YamlNode.Mapping mapping
                ? mapping.entries().stream().filter(each -> each.key().equals(key)).findFirst()
                : Optional.empty();
    }

    /// Returns the document without a key of the outermost mapping.
    public ConfigDocument without(String key) {
        return root instanceof YamlNode.Mapping mapping
                ? with(
                        new YamlNode.Mapping(
                                mapping.entries().stream()
                                        .filter(each -> !each.key().equals(key))
                                        .toList(),
                                mapping.origin()))
                : this;
    }

    /// Returns the document with one more value. If it cannot be there, returns the same document
    /// and adds a problem.
    ///
    /// @param key    spelled as after `--set`: `variants[0].drafter.depth`
    /// @param origin position of the key
    public ConfigDocument with(String key, YamlNode value, Origin origin) {
        return with(new Overrides(problems).put(root, key, value, origin));
    }

    /// Returns the bound record, or adds problems and returns nothing.
    public <C extends Record> Optional<Loaded<C>> bind(Class<C> type) {
        return binder.bind(root, type, new SourceLocation("", root.origin()))
                .map(bound ->
                        new Loaded<>(
                                type.cast(bound.value()), new EffectiveConfig(bound.effective())));
    }

    /// Requires that there are no problems.
    ///
    /// @throws OutriderException CONFIG_INVALID with every problem
    public void requireNoProblems() {
        if (problems.size() > 0) {
            throw problems.toException(source);
        }
    }

    private ConfigDocument with(YamlNode changed) {
        return new ConfigDocument(source, changed, problems, binder);
    }
}
