package dev.outrider.config;

import dev.outrider.common.NearestName;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/// Binds single values, and resolves paths against where they were written.
final class ScalarBinder {
    private final Problems problems;
    private final Binder.Directories directories;

    ScalarBinder(Problems problems, Binder.Directories directories) {
        this.problems = problems;
        this.directories = directories;
    }

    Optional<Effective.Bound> bind(YamlNode node, ScalarType type, SourceLocation location) {
        boolean bare = type.style() == ScalarType.Style.BARE;
        if (!(node instanceof YamlNode.Scalar scalar)
                || scalar.isNull()
                || bare && scalar.quoted()) {
            problems.mismatch(node, location, type.noun());
            return Optional.empty();
        }
        try {
            return Optional.of(bound(type.parse().apply(scalar.text()), type, scalar.origin()));
        } catch (InvalidPathException e) {
            problems.mismatch(node, location, type.noun());
        } catch (IllegalArgumentException e) {
            String expected = Optional.ofNullable(e.getMessage()).orElse(type.noun());
            String hint =
                    NearestName.to(scalar.text(), type.choices())
                            .map(name -> "; did you mean '" + name + "'?")
                            .orElse("");
            problems.add(
                    node.origin(),
                    location.path(),
                    "expected " + expected + ", got " + node.describe() + hint);
        }
        return Optional.empty();
    }

    private Effective.Bound bound(Object value, ScalarType type, Origin origin) {
        String text = type.canonical().apply(value);
        if (value instanceof Path path) {
            Path resolved = resolve(path, origin);
            String written = text.replace('\\', '/');
            return new Effective.Bound(
                    resolved,
                    new Effective.Leaf(written, type.style(), Optional.of(resolved), origin));
        }
        return new Effective.Bound(
                value, new Effective.Leaf(text, type.style(), Optional.empty(), origin));
    }

    private Path resolve(Path path, Origin origin) {
        Path base =
                origin instanceof Origin.CommandLine
                        ? directories.commandLine()
                        : directories.file();
        return base.resolve(path).normalize();
    }
}
