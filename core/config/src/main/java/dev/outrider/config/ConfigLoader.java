package dev.outrider.config;

import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
        return parse(text(file), name(file), directory, type, overrides);
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
                        problems, components, new Binder.Directories(directory, workingDirectory));
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

    private static String text(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new OutriderException(
                    ErrorCode.CONFIG_NOT_FOUND,
                    "there is no configuration file '" + name(file) + "'",
                    "Give the path of a YAML file; configs/ has examples.");
        }
        try {
            long size = Files.size(file);
            if (size > MAX_BYTES) {
                throw new OutriderException(
                        ErrorCode.CONFIG_SYNTAX,
                        "%s is %d bytes long; a configuration has at most %d"
                                .formatted(name(file), size, MAX_BYTES),
                        "Check that this is the configuration file; keep prompts in a file of their own.");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new OutriderException(
                    ErrorCode.CONFIG_SYNTAX,
                    name(file) + " is not UTF-8 text",
                    "Save the file as UTF-8.",
                    e);
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.IO_FAILED,
                    "configuration file '" + name(file) + "' cannot be read: " + e,
                    "Check the file's permissions.",
                    e);
        }
    }

    private static String name(Path file) {
        return file.toString().replace('\\', '/');
    }
}
