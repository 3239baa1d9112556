package dev.outrider.config;

import dev.outrider.spi.error.OutriderException;
import java.util.Optional;

/// A configuration that was read and is not bound yet: values that remember where they stood. For what a file holds beside
/// the keys of a record, such as the axes of a sweep. Immutable but for its problems, which documents made from it share.
public final class ConfigDocument {
    /// The key that picks a component or an alternative by name.
    public static final String USE = Binder.USE;

    private final String source;
    private final YamlNode root;
    private final Problems problems;
    private final Binder binder;

    ConfigDocument(String source, YamlNode root, Problems problems, Binder binder) {
        this.source = source;
        this.root = root;
        this.problems = problems;
        this.binder = binder;
    }

    /// Returns the root of the tree.
    public YamlNode root() {
        return root;
    }

    /// Returns the problems so far; readers of a part of the document add to them.
    public Problems problems() {
        return problems;
    }

    /// An entry of the outermost mapping.
    public Optional<YamlNode.Entry> entry(String key) {
        return root instanceof YamlNode.Mapping mapping
                ? mapping.entries().stream().filter(each -> each.key().equals(key)).findFirst()
                : Optional.empty();
    }

    /// The document without a key of the outermost mapping.
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

    /// The document with one more value; the same, and a problem, if it cannot be there.
    ///
    /// @param key    spelled as after `--set`: `variants[0].drafter.depth`
    /// @param origin where the key stands
    public ConfigDocument with(String key, YamlNode value, Origin origin) {
        return with(new Overrides(problems).put(root, key, value, origin));
    }

    /// The record it stands for; nothing, and problems, if it stands for none.
    public <C extends Record> Optional<Loaded<C>> bind(Class<C> type) {
        return binder.bind(root, type, new SourceLocation("", root.origin()))
                .map(bound ->
                        new Loaded<>(
                                type.cast(bound.value()), new EffectiveConfig(bound.effective())));
    }

    /// Ends the reading if anything is wrong.
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
