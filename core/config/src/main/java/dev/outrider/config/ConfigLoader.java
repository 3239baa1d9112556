package dev.outrider.config;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Reads YAML configuration into records. Thread-safe.
///
/// Relative paths of a file are relative to its directory, those of `--set` to the working directory.
public final class ConfigLoader {
    /// Maximum size of a configuration file, in bytes.
    public static final int MAX_BYTES = 1 << 20;

    private final ComponentRegistry registry;
    private final Path workingDirectory;
    private final RemotePaths remote;

    /// @param registry         components that `use:` may name
    /// @param workingDirectory base of paths given by `--set`
    public ConfigLoader(ComponentRegistry registry, Path workingDirectory) {
        this(registry, workingDirectory, RemotePaths.none());
    }

    /// @param registry         components that `use:` may name
    /// @param workingDirectory base of paths given by `--set`
    /// @param remote           names that may be used in place of paths
    public ConfigLoader(ComponentRegistry registry, Path workingDirectory, RemotePaths remote) {
        this.registry = registry;
        this.workingDirectory = workingDirectory;
        this.remote = remote;
    }

    /// Reads a file.
    ///
    /// @param file      a YAML file in UTF-8, at most [#MAX_BYTES] long
    /// @param type      record to bind to
    /// @param overrides texts after `--set`, such as `drafter.depth=4`, applied in order
    /// @throws OutriderException CONFIG_NOT_FOUND, IO_FAILED, CONFIG_SYNTAX, or CONFIG_INVALID with
    ///     every problem
    public <C extends Record> Loaded<C> load(Path file, Class<C> type, List<String> overrides) {
        return loadWith(file, type, Change.set(overrides));
    }

    /// Reads a file with changes by a command's options.
    ///
    /// @param changes applied in order
    /// @throws OutriderException as [#load]
    public <C extends Record> Loaded<C> loadWith(Path file, Class<C> type, List<Change> changes) {
        return bound(openWith(file, changes), type);
    }

    /// Reads a text that is not in a file.
    ///
    /// @param text      YAML
    /// @param source    name of the text in messages
    /// @param directory base of relative paths in the text
    /// @param type      record to bind to
    /// @param overrides texts after `--set`
    /// @throws OutriderException CONFIG_SYNTAX, or CONFIG_INVALID with every problem
    public <C extends Record> Loaded<C> parse(
            String text, String source, Path directory, Class<C> type, List<String> overrides) {
        return parseWith(text, source, directory, type, Change.set(overrides));
    }

    /// Reads a text with changes by a command's options.
    ///
    /// @param changes applied in order
    /// @throws OutriderException as [#parse]
    public <C extends Record> Loaded<C> parseWith(
            String text, String source, Path directory, Class<C> type, List<Change> changes) {
        return bound(document(text, source, directory, changes), type);
    }

    /// Reads components that a program gives.
    ///
    /// @param given  the components, whose keys are the record's; their paths are relative to the
    ///     working directory
    /// @param source name of all of it in messages
    /// @param type   record to bind to
    /// @throws OutriderException CONFIG_INVALID with every problem
    public <C extends Record> Loaded<C> components(
            List<ProgramComponent> given, String source, Class<C> type) {
        var problems = new Problems();
        var tree = new ProgramComponent.Tree(problems).of(given, source);
        var document =
                new ConfigDocument(source, tree, problems, binder(problems, workingDirectory));
        document.requireNoProblems(); // what no file could say has nothing to be bound
        return bound(document, type);
    }

    /// Reads a file without binding it, for configuration that has more than a record's keys.
    ///
    /// @param file      a YAML file in UTF-8, at most [#MAX_BYTES] long
    /// @param overrides texts after `--set`; their problems are among the document's problems
    /// @throws OutriderException CONFIG_NOT_FOUND, IO_FAILED or CONFIG_SYNTAX
    public ConfigDocument open(Path file, List<String> overrides) {
        return openWith(file, Change.set(overrides));
    }

    private ConfigDocument openWith(Path file, List<Change> changes) {
        Path directory =
                Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(workingDirectory);
        String source = ConfigText.name(file);
        return document(ConfigText.of(file, source), source, directory, changes);
    }

    private ConfigDocument document(
            String text, String source, Path directory, List<Change> changes) {
        var problems = new Problems();
        YamlNode tree = new Overrides(problems).apply(tree(text, source), changes);
        return new ConfigDocument(source, tree, problems, binder(problems, directory));
    }

    private Binder binder(Problems problems, Path directory) {
        return new Binder(
                problems,
                registry,
                new Binder.Directories(directory, workingDirectory, false, remote));
    }

    private static <C extends Record> Loaded<C> bound(ConfigDocument document, Class<C> type) {
        Optional<Loaded<C>> loaded = document.bind(type);
        document.requireNoProblems();
        return loaded.orElseThrow();
    }

    private static YamlNode tree(String text, String source) {
        try {
            return YamlReader.read(text, (line, column) -> Origin.text(source, line, column));
        } catch (YamlReader.SyntaxException e) {
            throw ErrorCode.CONFIG_SYNTAX.error(
                    "%s:%d:%d: %s".formatted(source, e.line(), e.column(), e.problem()),
                    "Correct the YAML at this place; nothing after it was read.");
        }
    }

    /// A change of a configuration by an option of the command line.
    ///
    /// @param typed      as the user typed it: `--set length=4`, or `--length 4`
    /// @param assignment the same as key and value: `length=4`
    public record Change(String typed, String assignment) {
        /// Returns the changes of `--set`.
        ///
        /// @param assignments the texts after it
        public static List<Change> set(List<String> assignments) {
            return assignments.stream().map(each -> new Change("--set " + each, each)).toList();
        }
    }
}
