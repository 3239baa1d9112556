package dev.outrider.config;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Binds a component: `use: <name>` selects the factory, and the other keys bind to that factory's
/// configuration record. A bare name is a component with all keys at their defaults; a bare number
/// is a component that the kind defines for numbers.
record ComponentBinder(RecordBinder records, Problems problems, ComponentRegistry registry) {
    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]+");

    /// Binds to a [Component].
    ///
    /// @param factoryType determines the kind
    Optional<Effective.Bound> bind(YamlNode node, Class<?> factoryType, SourceLocation location) {
        ComponentRegistry.Kind kind = kind(factoryType);
        if (node instanceof YamlNode.Scalar scalar && !scalar.isNull()) {
            return kind.ofNumber()
                    .filter(_ -> NUMBER.matcher(scalar.text()).matches())
                    .map(name -> number(scalar, name, kind, location))
                    .orElseGet(() ->
                            named(
                                    scalar,
                                    new YamlNode.Mapping(List.of(), scalar.origin()),
                                    kind,
                                    location));
        }
        String expected = "a mapping with 'use: <" + kind.noun() + ">'";
        return problems.mapping(node, location, expected)
                .flatMap(mapping -> fromMapping(mapping, kind, location));
    }

    /// Returns the component of a bare number: the number is its only key.
    private Optional<Effective.Bound> number(
            YamlNode.Scalar number,
            String name,
            ComponentRegistry.Kind kind,
            SourceLocation location) {
        var entries =
                kind.find(name).stream()
                        .flatMap(entry -> RecordSchema.of(entry.configType()).keys().stream())
                        .map(key -> new YamlNode.Entry(key.name(), number.origin(), number))
                        .toList();
        return named(
                new YamlNode.Scalar(name, false, number.origin()),
                new YamlNode.Mapping(entries, number.origin()),
                kind,
                location);
    }

    private Optional<Effective.Bound> fromMapping(
            YamlNode.Mapping mapping, ComponentRegistry.Kind kind, SourceLocation location) {
        Optional<YamlNode> use =
                mapping.entries().stream()
                        .filter(entry -> entry.key().equals(Names.USE))
                        .map(YamlNode.Entry::value)
                        .findFirst();
        if (use.isEmpty()) {
            problems.add(
                    location,
                    "missing key 'use', the name of %s (%s)"
                            .formatted(Names.withArticle(kind.noun()), known(kind)));
            return Optional.empty();
        }
        if (use.get() instanceof YamlNode.Scalar name && !name.isNull()) {
            return named(name, mapping, kind, location);
        }
        problems.mismatch(
                use.get(),
                location.key(Names.USE, use.get().origin()),
                "the name of " + Names.withArticle(kind.noun()));
        return Optional.empty();
    }

    private Optional<Effective.Bound> named(
            YamlNode.Scalar name,
            YamlNode.Mapping mapping,
            ComponentRegistry.Kind kind,
            SourceLocation location) {
        Optional<? extends ComponentRegistry.Entry> found = kind.find(name.text());
        if (found.isEmpty()) {
            problems.add(
                    name.origin(),
                    location.path(),
                    "unknown %s '%s'%s"
                            .formatted(
                                    kind.noun(),
                                    name.text(),
                                    Names.hinted(name.text(), kind.names(), known(kind))));
            return Optional.empty();
        }
        var schema = RecordSchema.of(found.get().configType());
        return records.bind(mapping, schema, location, Set.of(Names.USE))
                .map(bound ->
                        new Effective.Bound(
                                new Component<>(
                                        name.text(), found.get().factory(), (Record) bound.value()),
                                ((Effective.Keys) bound.effective())
                                        .behind(name.text(), name.origin())));
    }

    private String known(ComponentRegistry.Kind kind) {
        return Names.listed("known", kind.names()) + "; " + registry.more();
    }

    private ComponentRegistry.Kind kind(Class<?> factoryType) {
        return registry.kind(factoryType)
                .orElseThrow(() ->
                        ErrorCode.CONTRACT_BROKEN.error(
                                "the registry has no components that a %s makes"
                                        .formatted(factoryType.getTypeName().replace('$', '.')),
                                "Read such a configuration with the registry of plugins."));
    }
}
