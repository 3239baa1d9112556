package dev.outrider.config;

import dev.outrider.spi.DrafterChoice;
import dev.outrider.spi.DrafterFactory;
import java.lang.reflect.ParameterizedType;
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
    private final Components components;
    private final ScalarBinder scalars;
    private final RecordBinder records;
    private final ComponentBinder named;
    private final ChoiceBinder choices;
    private final FileBinder files;

    /// What relative paths are relative to.
    ///
    /// @param file        the configuration file's directory
    /// @param commandLine the working directory, for `--set`
    /// @param insideFile  whether this is a file that a configuration names, which cannot name another
    record Directories(Path file, Path commandLine, boolean insideFile) {}

    Binder(Problems problems, Components components, Directories directories) {
        this.problems = problems;
        this.components = components;
        this.scalars = new ScalarBinder(problems, directories);
        this.records = new RecordBinder(this, problems);
        this.named = new ComponentBinder(records, problems);
        this.choices = new ChoiceBinder(records, problems);
        this.files = new FileBinder(this, problems, components, directories);
    }

    /// Bind a value to a type; nothing if a problem was found in it.
    Optional<Effective.Bound> bind(YamlNode node, Type type, Spot spot) {
        if (type instanceof ParameterizedType generic
                && generic.getRawType() instanceof Class<?> raw) {
            return bindGeneric(node, raw, generic, spot);
        }
        if (type instanceof Class<?> plain) {
            return bindClass(node, plain, spot);
        }
        throw RecordSchema.invalid(type.getClass(), "cannot stand for the generic type " + type);
    }

    private Optional<Effective.Bound> bindClass(YamlNode node, Class<?> type, Spot spot) {
        Optional<ScalarType> scalar = ScalarType.of(type);
        if (scalar.isPresent()) {
            return scalars.bind(node, scalar.get(), spot);
        }
        if (type == DrafterChoice.class) {
            return named.bind(node, components.kind(DrafterFactory.class), spot)
                    .map(bound ->
                            new Effective.Bound(
                                    components.choice((Component<?>) bound.value()),
                                    bound.effective()));
        }
        if (FileBinder.allows(type) && FileBinder.isFile(node)) {
            return files.bind(node, type, spot);
        }
        if (type.isRecord()) {
            return problems.mapping(node, spot, "a mapping")
                    .flatMap(mapping ->
                            records.bind(mapping, RecordSchema.of(type), spot, Set.of()));
        }
        if (type.isInterface() && type.isSealed()) {
            return choices.bind(node, type, spot);
        }
        throw RecordSchema.invalid(type, "cannot be read from YAML");
    }

    private Optional<Effective.Bound> bindGeneric(
            YamlNode node, Class<?> raw, ParameterizedType type, Spot spot) {
        Type last = type.getActualTypeArguments()[type.getActualTypeArguments().length - 1];
        if (raw == Optional.class) {
            return bind(node, last, spot)
                    .map(bound ->
                            new Effective.Bound(Optional.of(bound.value()), bound.effective()));
        }
        if (raw == List.class) {
            return bindList(node, last, spot);
        }
        if (raw == Map.class && type.getActualTypeArguments()[0] == String.class) {
            return bindMap(node, last, spot);
        }
        if (raw == Component.class) {
            return named.bind(node, components.kind(rawClass(last)), spot);
        }
        throw RecordSchema.invalid(raw, "cannot be read from YAML");
    }

    static Class<?> rawClass(Type type) {
        if (type instanceof Class<?> plain) {
            return plain;
        }
        if (type instanceof ParameterizedType generic
                && generic.getRawType() instanceof Class<?> raw) {
            return raw;
        }
        throw RecordSchema.invalid(type.getClass(), "cannot stand for the generic type " + type);
    }

    private Optional<Effective.Bound> bindList(YamlNode node, Type item, Spot spot) {
        if (!(node instanceof YamlNode.Sequence sequence)) {
            problems.mismatch(node, spot, "a list");
            return Optional.empty();
        }
        List<Object> values = new ArrayList<>();
        List<Effective> effective = new ArrayList<>();
        for (int i = 0; i < sequence.items().size(); i++) {
            YamlNode element = sequence.items().get(i);
            bind(element, item, spot.item(i, element.origin()))
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

    private Optional<Effective.Bound> bindMap(YamlNode node, Type valueType, Spot spot) {
        Optional<YamlNode.Mapping> mapping = problems.mapping(node, spot, "a mapping");
        if (mapping.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Object> values = new LinkedHashMap<>();
        var effective = new LinkedHashMap<String, Effective>();
        Map<String, YamlNode.Entry> seen = new LinkedHashMap<>();
        for (YamlNode.Entry entry : mapping.get().entries()) {
            YamlNode.Entry first = seen.putIfAbsent(entry.key(), entry);
            if (first != null) {
                problems.duplicate(entry, first, spot);
                continue;
            }
            bind(entry.value(), valueType, spot.key(entry.key(), entry.keyOrigin()))
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
