package dev.outrider.config;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterChoice;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Binds a YAML tree to a Java type, collecting problems instead of throwing. Confined to one load.
///
/// A value with a problem binds to nothing; its neighbours are still checked, so that one pass reports everything.
final class Binder {
    /// The key that picks a component or an alternative by name.
    static final String USE = "use";

    private final Problems problems;
    private final ScalarBinder scalars;
    private final RecordBinder records;
    private final ComponentBinder components;
    private final ChoiceBinder choices;
    private final FileBinder files;

    /// What relative paths are relative to.
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

    /// Bind a value to a type; nothing if a problem was found in it.
    Optional<Effective.Bound> bind(YamlNode node, Type type, SourceLocation location) {
        Class<?> raw = ValueShape.rawClass(type);
        if (FileBinder.allows(raw) && FileBinder.isFile(node)) {
            return files.bind(node, raw, location);
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
}
