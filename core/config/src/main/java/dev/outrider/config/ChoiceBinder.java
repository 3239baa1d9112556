package dev.outrider.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Binds a value to one record of a sealed interface.
///
/// The record is picked by `use: level-widths`, by the bare name (`tree: chain`), by a single key of that name
/// (`tree: {levelWidths: {...}}`), or by the keys themselves (`tree: {widths: [4, 2]}`); of several records that take
/// exactly these keys the one declared first is meant. A bare number is the value of the first record with a single key
/// (`tree: 4` is a chain of four). [FileBinder] reads `{file: PATH}` where the interface allows it.
record ChoiceBinder(RecordBinder records, Problems problems) {
    Optional<Effective.Bound> bind(YamlNode node, Class<?> choice, SourceLocation location) {
        List<RecordSchema> alternatives = RecordSchema.alternatives(choice);
        return switch (node) {
            case YamlNode.Scalar scalar ->
                    named(scalar, emptyAt(scalar), alternatives, choice, location);
            case YamlNode.Mapping mapping -> fromMapping(mapping, alternatives, choice, location);
            case YamlNode.Sequence list -> {
                problems.add(
                        location,
                        "expected " + expected(choice, alternatives) + ", got " + list.describe());
                yield Optional.empty();
            }
        };
    }

    private Optional<Effective.Bound> fromMapping(
            YamlNode.Mapping mapping,
            List<RecordSchema> alternatives,
            Class<?> choice,
            SourceLocation location) {
        for (YamlNode.Entry entry : mapping.entries()) {
            if (entry.key().equals(Names.USE)) {
                return named(entry.value(), mapping, alternatives, choice, location);
            }
        }
        List<RecordSchema> fitting = fitting(mapping, alternatives);
        if (!fitting.isEmpty()) {
            return bound(mapping, fitting.getFirst(), mapping.origin(), location);
        }
        if (mapping.entries().size() == 1) {
            YamlNode.Entry only = mapping.entries().getFirst();
            Optional<RecordSchema> byName = byName(only.key(), alternatives);
            if (byName.isPresent()) {
                return bound(inner(only, byName.get()), byName.get(), only.keyOrigin(), location);
            }
        }
        List<RecordSchema> likely =
                alternatives.stream()
                        .filter(alternative -> known(mapping, alternative) > 0)
                        .toList();
        if (likely.size() == 1) {
            return bound(mapping, likely.getFirst(), mapping.origin(), location);
        }
        problems.add(
                location,
                "cannot tell which "
                        + noun(choice)
                        + " is meant; expected "
                        + expected(choice, alternatives));
        return Optional.empty();
    }

    private Optional<Effective.Bound> named(
            YamlNode name,
            YamlNode.Mapping mapping,
            List<RecordSchema> alternatives,
            Class<?> choice,
            SourceLocation location) {
        if (!(name instanceof YamlNode.Scalar scalar) || scalar.isNull()) {
            problems.add(
                    name instanceof YamlNode.Scalar ? name.origin() : location.origin(),
                    location.path(),
                    "expected " + expected(choice, alternatives) + ", got " + name.describe());
            return Optional.empty();
        }
        Optional<RecordSchema> found = byName(scalar.text(), alternatives);
        if (found.isPresent()) {
            return bound(mapping, found.get(), scalar.origin(), location);
        }
        Optional<RecordSchema> counted =
                scalar.text().matches("-?[0-9]+") ? ofOneKey(alternatives) : Optional.empty();
        if (counted.isPresent() && mapping.entries().isEmpty()) {
            String key = counted.get().keys().getFirst().name();
            var entry = new YamlNode.Entry(key, scalar.origin(), scalar);
            var only = new YamlNode.Mapping(List.of(entry), scalar.origin());
            return bound(only, counted.get(), scalar.origin(), location);
        }
        List<String> known = alternatives.stream().map(RecordSchema::alternativeName).toList();
        problems.misspelt(
                scalar.origin(),
                location.path(),
                "unknown %s '%s'".formatted(noun(choice), scalar.text()),
                scalar.text(),
                known,
                "known");
        return Optional.empty();
    }

    private Optional<Effective.Bound> bound(
            YamlNode.Mapping mapping, RecordSchema schema, Origin named, SourceLocation location) {
        return records.bind(mapping, schema, location, Set.of(Names.USE))
                .map(bound ->
                        new Effective.Bound(
                                bound.value(),
                                ((Effective.Keys) bound.effective())
                                        .behind(schema.alternativeName(), named)));
    }

    /// Returns the mapping behind a key that names the record; a record of one key may be given
    /// that key's value directly.
    private static YamlNode.Mapping inner(YamlNode.Entry only, RecordSchema schema) {
        if (only.value() instanceof YamlNode.Mapping mapping) {
            return mapping;
        }
        boolean nothing = only.value() instanceof YamlNode.Scalar scalar && scalar.isNull();
        if (nothing || schema.keys().isEmpty()) {
            return new YamlNode.Mapping(List.of(), only.keyOrigin());
        }
        var entry =
                new YamlNode.Entry(schema.keys().getFirst().name(), only.keyOrigin(), only.value());
        return new YamlNode.Mapping(List.of(entry), only.keyOrigin());
    }

    private static List<RecordSchema> fitting(
            YamlNode.Mapping mapping, List<RecordSchema> alternatives) {
        return alternatives.stream()
                .filter(alternative -> !mapping.entries().isEmpty())
                .filter(alternative -> known(mapping, alternative) == mapping.entries().size())
                .filter(alternative ->
                        alternative.keys().stream()
                                .filter(RecordSchema.Key::required)
                                .allMatch(key -> has(mapping, key.name())))
                .toList();
    }

    private static long known(YamlNode.Mapping mapping, RecordSchema alternative) {
        return mapping.entries().stream()
                .filter(entry -> alternative.key(Names.camel(entry.key())).isPresent())
                .count();
    }

    private static boolean has(YamlNode.Mapping mapping, String name) {
        return mapping.entries().stream().anyMatch(entry -> Names.camel(entry.key()).equals(name));
    }

    private static Optional<RecordSchema> byName(String name, List<RecordSchema> alternatives) {
        return alternatives.stream()
                .filter(alternative -> alternative.alternativeName().equals(Names.kebab(name)))
                .findFirst();
    }

    private static Optional<RecordSchema> ofOneKey(List<RecordSchema> alternatives) {
        return alternatives.stream()
                .filter(alternative -> alternative.keys().size() == 1)
                .findFirst();
    }

    private static YamlNode.Mapping emptyAt(YamlNode.Scalar scalar) {
        return new YamlNode.Mapping(List.of(), scalar.origin());
    }

    static String noun(Class<?> choice) {
        return Names.kebab(choice.getSimpleName()).replace('-', ' ');
    }

    /// Returns `a tree plan: chain, or 'use: widths' with widths, ...`.
    static String expected(Class<?> choice, List<RecordSchema> alternatives) {
        return "a "
                + noun(choice)
                + ": "
                + alternatives.stream()
                        .map(ChoiceBinder::shape)
                        .collect(Collectors.joining(", or "))
                + (FileBinder.allows(choice) ? ", or {" + FileBinder.FILE + ": PATH}" : "");
    }

    private static String shape(RecordSchema schema) {
        String keys =
                schema.keys().stream()
                        .map(key -> key.name() + (key.required() ? "" : "?"))
                        .collect(Collectors.joining(", "));
        return schema.alternativeName() + (keys.isEmpty() ? "" : " {" + keys + "}");
    }
}
