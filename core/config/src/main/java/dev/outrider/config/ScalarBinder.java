package dev.outrider.config;

import dev.outrider.common.NearestName;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/// Binds single values, and resolves paths against where they were written.
final class ScalarBinder {
    /// What models are called that are read; other paths are written too.
    private static final Set<String> MODELS = Set.of("path", "target");

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
            var value = type.parse().apply(scalar.text());
            var remote =
                    value instanceof Path
                            ? remote(scalar.text(), location)
                            : Optional.<RemotePaths.Place>empty();
            return Optional.of(
                    remote.map(place -> bound(scalar, type, place))
                            .orElseGet(() -> bound(value, type, scalar.origin())));
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

    private Optional<RemotePaths.Place> remote(String text, SourceLocation location) {
        var place = directories.remote().place(text);
        var key = location.path().substring(location.path().lastIndexOf('.') + 1);
        if (place.isPresent() && !MODELS.contains(key)) {
            throw new IllegalArgumentException("a path on this machine");
        }
        return place;
    }

    private static Effective.Bound bound(
            YamlNode.Scalar scalar, ScalarType type, RemotePaths.Place place) {
        return new Effective.Bound(
                place.path(),
                new Effective.Leaf(
                        scalar.text(),
                        type.style(),
                        Optional.of(place.path()),
                        Optional.of(place),
                        scalar.origin()));
    }

    private Effective.Bound bound(Object value, ScalarType type, Origin origin) {
        String text = type.canonical().apply(value);
        if (value instanceof Path path) {
            Path resolved = resolve(path, origin);
            String written = text.replace('\\', '/');
            return new Effective.Bound(
                    resolved,
                    new Effective.Leaf(
                            written,
                            type.style(),
                            Optional.of(resolved),
                            Optional.empty(),
                            origin));
        }
        return new Effective.Bound(value, Effective.Leaf.of(text, type.style(), origin));
    }

    private Path resolve(Path path, Origin origin) {
        Path base =
                origin instanceof Origin.CommandLine
                        ? directories.commandLine()
                        : directories.file();
        return base.resolve(path).normalize();
    }
}
