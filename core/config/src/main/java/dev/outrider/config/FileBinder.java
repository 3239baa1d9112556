package dev.outrider.config;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/// Binds `{file: PATH}` to the value in that file, for types that may have a file of their own: a [TreePlan] in a [TreeFile].
///
/// Problems of the file are reported beside those of the configuration, each at its place in the file.
final class FileBinder {
    /// The key that names a file.
    static final String FILE = "file";

    private final Binder binder;
    private final Problems problems;
    private final ComponentRegistry registry;
    private final Binder.Directories directories;

    FileBinder(
            Binder binder,
            Problems problems,
            ComponentRegistry registry,
            Binder.Directories directories) {
        this.binder = binder;
        this.problems = problems;
        this.registry = registry;
        this.directories = directories;
    }

    /// Whether a value of this type may stand in a file.
    static boolean allows(Class<?> type) {
        return type == TreePlan.class;
    }

    /// Whether a value says that it stands in a file.
    static boolean isFile(YamlNode node) {
        return node instanceof YamlNode.Mapping mapping
                && mapping.entries().size() == 1
                && mapping.entries().getFirst().key().equals(FILE);
    }

    /// The value of `type` in the file that a mapping names.
    Optional<Effective.Bound> bind(YamlNode node, Class<?> type, SourceLocation location) {
        var entry = ((YamlNode.Mapping) node).entries().getFirst();
        var inFile = location.key(FILE, entry.keyOrigin());
        if (directories.insideFile()) {
            problems.add(
                    entry.keyOrigin(),
                    inFile.path(),
                    "a file cannot name another; write the value here");
            return Optional.empty();
        }
        return binder.bind(entry.value(), Path.class, inFile)
                .flatMap(bound -> read((Path) bound.value(), entry.value(), type, inFile));
    }

    private Optional<Effective.Bound> read(
            Path file, YamlNode written, Class<?> type, SourceLocation location) {
        String name = name(((YamlNode.Scalar) written).text(), written.origin());
        YamlNode tree;
        try {
            tree =
                    YamlReader.read(
                            ConfigText.of(file, name),
                            (line, column) -> new Origin.Text(name, line, column));
        } catch (OutriderException e) {
            problems.add(written.origin(), location.path(), e.problem());
            return Optional.empty();
        } catch (YamlSyntaxException e) {
            problems.add(
                    new Origin.Text(name, e.line(), e.column()), "", "not YAML: " + e.problem());
            return Optional.empty();
        }
        var directory = Optional.ofNullable(file.getParent()).orElse(directories.file());
        var inner =
                new Binder(
                        problems,
                        registry,
                        new Binder.Directories(
                                directory, directories.commandLine(), true, directories.remote()));
        return inner.bind(tree, TreeFile.class, new SourceLocation("", tree.origin()))
                .map(bound -> component(bound, type));
    }

    /// The component of the wanted type, and how it reads in the effective configuration.
    private static Effective.Bound component(Effective.Bound file, Class<?> type) {
        RecordComponent component =
                Arrays.stream(file.value().getClass().getRecordComponents())
                        .filter(each -> each.getType().equals(type))
                        .findFirst()
                        .orElseThrow(
                                () -> RecordSchema.invalid(type, "is not a component of its file"));
        try {
            Object value = component.getAccessor().invoke(file.value());
            var keys = (Effective.Keys) file.effective();
            return new Effective.Bound(
                    Optional.ofNullable(value).orElseThrow(),
                    Optional.ofNullable(keys.values().get(component.getName())).orElseThrow());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a public record's component can be read", e);
        }
    }

    /// What messages call a file: its path as the user would write it where the configuration's own path was written.
    private static String name(String written, Origin origin) {
        var path = Path.of(written);
        return ConfigText.name(
                origin instanceof Origin.Text text
                        ? Path.of(text.source()).resolveSibling(path).normalize()
                        : path);
    }
}
