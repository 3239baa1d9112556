package dev.outrider.config;

import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.nio.file.Path;
import java.util.ArrayList;
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
        Optional<Loaded<C>> loaded = bind(tree, type, directory, problems);
        if (loaded.isEmpty() || !problems.isEmpty()) {
            throw problems.toException(source);
        }
        return loaded.get();
    }

    /// Read a file whose key `sweep` lists values of other keys, and make a configuration of every combination.
    ///
    /// A mistake in one combination is a mistake in the file: all of them are reported at once, each at its place.
    ///
    /// @param file      a YAML file in UTF-8, at most [#MAX_BYTES] long
    /// @param type      record that each combination binds to
    /// @param overrides texts after `--set`, applied before the axes
    /// @throws OutriderException CONFIG_NOT_FOUND, IO_FAILED, CONFIG_SYNTAX, or CONFIG_INVALID with every problem
    public <C extends Record> Matrix<C> matrix(Path file, Class<C> type, List<String> overrides) {
        Path directory =
                Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(workingDirectory);
        String source = ConfigText.name(file);
        var problems = new Problems();
        var setter = new Overrides(problems);
        YamlNode tree = setter.apply(tree(ConfigText.of(file, source), source), overrides);
        Optional<MatrixShape> shape = new MatrixReader(problems).read(tree);
        if (shape.isEmpty()) {
            throw problems.toException(source);
        }
        YamlNode base = MatrixReader.base(tree);
        List<Matrix.Cell<C>> cells = new ArrayList<>();
        int excluded = 0;
        for (List<MatrixShape.Choice> combination : shape.get().combinations()) {
            if (shape.get().excludes(combination)) {
                excluded++;
                continue;
            }
            bind(setter.set(base, combination), type, directory, problems)
                    .ifPresent(loaded ->
                            cells.add(new Matrix.Cell<>(MatrixShape.labels(combination), loaded)));
        }
        if (cells.isEmpty() && problems.isEmpty()) {
            problems.add(tree.origin(), MatrixReader.SWEEP, "every combination is excluded");
        }
        if (!problems.isEmpty()) {
            throw problems.toException(source);
        }
        return new Matrix<>(
                shape.get().axes().stream()
                        .map(axis -> new Matrix.Axis(axis.name(), axis.labels()))
                        .toList(),
                cells,
                excluded);
    }

    /// Whether a file has the key `sweep`.
    ///
    /// @throws OutriderException CONFIG_NOT_FOUND, IO_FAILED or CONFIG_SYNTAX
    public boolean isMatrix(Path file) {
        String source = ConfigText.name(file);
        return MatrixReader.has(tree(ConfigText.of(file, source), source));
    }

    private <C extends Record> Optional<Loaded<C>> bind(
            YamlNode tree, Class<C> type, Path directory, Problems problems) {
        var binder =
                new Binder(
                        problems,
                        components,
                        new Binder.Directories(directory, workingDirectory, false));
        return binder.bind(tree, type, new Spot("", tree.origin()))
                .map(bound ->
                        new Loaded<>(
                                type.cast(bound.value()), new EffectiveConfig(bound.effective())));
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
