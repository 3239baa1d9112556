package dev.outrider.config;

import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Reads YAML configuration into records. Thread-safe.
///
/// Relative paths of a file are relative to its directory, those of `--set` to the working directory.
public final class ConfigLoader {
    /// Largest configuration file, in bytes.
    public static final long MAX_BYTES = 1 << 20;

    private final Components components;
    private final Path workingDirectory;

    /// @param components       what `use:` may name
    /// @param workingDirectory what paths given by `--set` are relative to
    public ConfigLoader(Components components, Path workingDirectory) {
        this.components = components;
        this.workingDirectory = workingDirectory;
    }

    /// Read a file.
    ///
    /// @param file      a YAML file in UTF-8, at most [#MAX_BYTES] long
    /// @param type      record to bind to
    /// @param overrides texts after `--set`, such as `drafter.depth=4`, applied in order
    /// @throws OutriderException CONFIG_NOT_FOUND, IO_FAILED, CONFIG_SYNTAX, or CONFIG_INVALID with every problem
    public <C extends Record> Loaded<C> load(Path file, Class<C> type, List<String> overrides) {
        Path directory =
                Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(workingDirectory);
        String name = ConfigText.name(file);
        return parse(ConfigText.of(file, name), name, directory, type, overrides);
    }

    /// Read a text, for configuration that has no file.
    ///
    /// @param text      YAML
    /// @param source    what messages call the text
    /// @param directory what paths in the text are relative to
    /// @param type      record to bind to
    /// @param overrides texts after `--set`
    /// @throws OutriderException CONFIG_SYNTAX, or CONFIG_INVALID with every problem
    public <C extends Record> Loaded<C> parse(
            String text, String source, Path directory, Class<C> type, List<String> overrides) {
        YamlNode file = tree(text, source);
        var problems = new Problems();
        YamlNode tree = new Overrides(problems).apply(file, overrides);
        var binder =
                new Binder(
                        problems,
                        components,
                        new Binder.Directories(directory, workingDirectory, false));
        Optional<Effective.Bound> bound = binder.bind(tree, type, new Spot("", tree.origin()));
        if (bound.isEmpty() || !problems.isEmpty()) {
            throw problems.toException(source);
        }
        return new Loaded<>(
                type.cast(bound.get().value()), new EffectiveConfig(bound.get().effective()));
    }

    private static YamlNode tree(String text, String source) {
        try {
            return YamlReader.read(text, (line, column) -> new Origin.Text(source, line, column));
        } catch (YamlSyntaxException e) {
            throw new OutriderException(
                    ErrorCode.CONFIG_SYNTAX,
                    "%s:%d:%d: %s".formatted(source, e.line(), e.column(), e.problem()),
                    "Correct the YAML at this place; nothing after it was read.");
        }
    }
}
