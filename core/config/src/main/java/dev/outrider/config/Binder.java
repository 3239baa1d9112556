package dev.outrider.config;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.common.NearestName;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import java.lang.reflect.Type;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Binds a YAML tree to a Java type. Problems are collected, not thrown. Confined to one load.
///
/// A value with a problem binds to nothing; its neighbours are still checked, so one pass reports
/// everything.
final class Binder {
    private final Problems problems;
    private final ScalarBinder scalars;
    private final RecordBinder records;
    private final ComponentBinder components;
    private final ChoiceBinder choices;
    private final FileBinder files;

    /// The directories that relative paths start from.
    ///
    /// @param file        the configuration file's directory
    /// @param commandLine the working directory, for `--set`
    /// @param insideFile  whether this is a file that a configuration names, which cannot name another
    /// @param remote      names in place of paths
    record Directories(Path file, Path commandLine, boolean insideFile, RemotePaths remote) {}

    Binder(Problems problems, ComponentRegistry registry, Directories directories) {
        this.problems = problems;
        this.scalars = new ScalarBinder(problems, directories);
        this.records = new RecordBinder(this, problems);
        this.components = new ComponentBinder(records, problems, registry);
        this.choices = new ChoiceBinder(records, problems);
        this.files = new FileBinder(this, problems, registry, directories);
    }

    /// Binds a value to a type; returns nothing if a problem was found in it.
    Optional<Effective.Bound> bind(YamlNode node, Type type, SourceLocation location) {
        Class<?> raw = ValueShape.rawClass(type);
        if (FileBinder.allows(raw) && FileBinder.isFile(node)) {
            return files.bind(node, location);
        }
        return switch (ValueShape.of(type)) {
            case SCALAR -> scalars.bind(node, ScalarType.of(raw).orElseThrow(), location);
            case OPTIONAL ->
                    bind(node, ValueShape.argument(type), location)
                            .map(bound ->
                                    new Effective.Bound(
                                            Optional.of(bound.value()), bound.effective()));
            case LIST -> bindList(node, ValueShape.argument(type), location);
            case MAP -> bindMap(node, ValueShape.argument(type), location);
            case RECORD ->
                    problems.mapping(node, location, "a mapping")
                            .flatMap(mapping ->
                                    records.bind(
                                            mapping, RecordSchema.of(raw), location, Set.of()));
            case CHOICE -> choices.bind(node, raw, location);
            case COMPONENT ->
                    components.bind(node, ValueShape.rawClass(ValueShape.argument(type)), location);
            case DRAFTER ->
                    components
                            .bind(node, Drafter.Factory.class, location)
                            .map(bound ->
                                    new Effective.Bound(
                                            choice((Component<?>) bound.value()),
                                            bound.effective()));
        };
    }

    private static DrafterChoice choice(Component<?> drafter) {
        return new DrafterChoice(
                drafter.use(), (Drafter.Factory<?>) drafter.factory(), drafter.config());
    }

    private Optional<Effective.Bound> bindList(YamlNode node, Type item, SourceLocation location) {
        if (!(node instanceof YamlNode.Sequence sequence)) {
            problems.mismatch(node, location, "a list");
            return Optional.empty();
        }
        List<Object> values = new ArrayList<>();
        List<Effective> effective = new ArrayList<>();
        for (int i = 0; i < sequence.items().size(); i++) {
            YamlNode element = sequence.items().get(i);
            bind(element, item, location.item(i, element.origin()))
                    .ifPresent(bound -> {
                        values.add(bound.value());
                        effective.add(bound.effective());
                    });
        }
        if (values.size() < sequence.items().size()) {
            return Optional.empty();
        }
        return Optional.of(
                new Effective.Bound(
                        List.copyOf(values), new Effective.Items(effective, sequence.origin())));
    }

    private Optional<Effective.Bound> bindMap(
            YamlNode node, Type valueType, SourceLocation location) {
        Optional<YamlNode.Mapping> mapping = problems.mapping(node, location, "a mapping");
        if (mapping.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Object> values = new LinkedHashMap<>();
        var effective = new LinkedHashMap<String, Effective>();
        Map<String, YamlNode.Entry> seen = new LinkedHashMap<>();
        for (YamlNode.Entry entry : mapping.get().entries()) {
            YamlNode.Entry first = seen.putIfAbsent(entry.key(), entry);
            if (first != null) {
                problems.duplicate(entry, first, location);
                continue;
            }
            bind(entry.value(), valueType, location.key(entry.key(), entry.keyOrigin()))
                    .ifPresent(bound -> {
                        values.put(entry.key(), bound.value());
                        effective.put(entry.key(), bound.effective());
                    });
        }
        if (values.size() < mapping.get().entries().size()) {
            return Optional.empty();
        }
        var keys = new Effective.Keys(effective, node.origin());
        return Optional.of(new Effective.Bound(Collections.unmodifiableMap(values), keys));
    }

    /// Binds single values, and resolves paths relative to where they were written.
    record ScalarBinder(Problems problems, Directories directories) {
        /// Keys of models, which may be names on the hub. Other paths may be written to.
        private static final Set<String> MODELS = Set.of("path", "target");

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
                        remote.map(place ->
                                        path(
                                                scalar.text(),
                                                type,
                                                place.path(),
                                                remote,
                                                scalar.origin()))
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

        private Effective.Bound bound(Object value, ScalarType type, Origin origin) {
            String text = type.canonical().apply(value);
            if (value instanceof Path path) {
                return path(
                        text.replace('\\', '/'),
                        type,
                        resolve(path, origin),
                        Optional.empty(),
                        origin);
            }
            return new Effective.Bound(value, Effective.Leaf.of(text, type.style(), origin));
        }

        private static Effective.Bound path(
                String written,
                ScalarType type,
                Path path,
                Optional<RemotePaths.Place> remote,
                Origin origin) {
            return new Effective.Bound(
                    path,
                    new Effective.Leaf(written, type.style(), Optional.of(path), remote, origin));
        }

        private Path resolve(Path path, Origin origin) {
            Path base =
                    origin.kind() == Origin.Kind.COMMAND_LINE
                            ? directories.commandLine()
                            : directories.file();
            return base.resolve(path).normalize();
        }
    }
}
