package dev.outrider.config;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.Optional;

/// Binds `{file: PATH}` to the value in that file, for types that may have a file of their own: a [TreePlan] in a [TreeFile].
///
/// Problems of the file are reported beside those of the configuration, each at its place in the file.
record FileBinder(
        Binder binder,
        Problems problems,
        ComponentRegistry registry,
        Binder.Directories directories) {
    /// The key that names a file.
    static final String FILE = "file";

    /// Returns whether a value of this type may be in a file.
    static boolean allows(Class<?> type) {
        return type == TreePlan.class;
    }

    /// Returns whether a value names a file.
    static boolean isFile(YamlNode node) {
        return node instanceof YamlNode.Mapping mapping
                && mapping.entries().size() == 1
                && mapping.entries().getFirst().key().equals(FILE);
    }

    /// Returns the tree in the file that a mapping names.
    Optional<Effective.Bound> bind(YamlNode node, SourceLocation location) {
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
                .flatMap(bound -> read((Path) bound.value(), entry.value(), inFile));
    }

    private Optional<Effective.Bound> read(Path file, YamlNode written, SourceLocation location) {
        String name = name(((YamlNode.Scalar) written).text(), written.origin());
        YamlNode tree;
        try {
            tree =
                    YamlReader.read(
                            ConfigText.of(file, name),
                            (line, column) -> Origin.text(name, line, column));
        } catch (OutriderException e) {
            problems.add(written.origin(), location.path(), e.problem());
            return Optional.empty();
        } catch (YamlReader.SyntaxException e) {
            problems.add(Origin.text(name, e.line(), e.column()), "", "not YAML: " + e.problem());
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
                .map(FileBinder::tree);
    }

    /// Returns the tree of a bound file, and its form in the effective configuration.
    private static Effective.Bound tree(Effective.Bound file) {
        var keys = (Effective.Keys) file.effective();
        return new Effective.Bound(
                ((TreeFile) file.value()).tree(),
                Optional.ofNullable(keys.values().get("tree")).orElseThrow());
    }

    /// Returns the name of a file in messages: its path relative to where the configuration's path was written.
    private static String name(String written, Origin origin) {
        var path = Path.of(written);
        return ConfigText.name(
                origin.kind() == Origin.Kind.TEXT
                        ? Path.of(origin.source()).resolveSibling(path).normalize()
                        : path);
    }
}
