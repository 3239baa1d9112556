package dev.outrider.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Binds a component: `use: <name>` picks the factory, the other keys bind to that factory's configuration record. A
/// bare name is a component with every key at its default.
final class ComponentBinder {
    private final RecordBinder records;
    private final Problems problems;

    ComponentBinder(RecordBinder records, Problems problems) {
        this.records = records;
        this.problems = problems;
    }

    Optional<Effective.Bound> bind(YamlNode node, Components.Kind kind, Spot spot) {
        if (node instanceof YamlNode.Scalar name && !name.isNull()) {
            return named(name, new YamlNode.Mapping(List.of(), name.origin()), kind, spot);
        }
        String expected = "a mapping with 'use: <" + kind.noun() + ">'";
        return problems.mapping(node, spot, expected)
                .flatMap(mapping -> fromMapping(mapping, kind, spot));
    }

    private Optional<Effective.Bound> fromMapping(
            YamlNode.Mapping mapping, Components.Kind kind, Spot spot) {
        Optional<YamlNode> use =
                mapping.entries().stream()
                        .filter(entry -> entry.key().equals(Binder.USE))
                        .map(YamlNode.Entry::value)
                        .findFirst();
        if (use.isEmpty()) {
            problems.add(
                    spot.origin(),
                    spot.path(),
                    "missing key 'use', the name of a %s (known: %s)"
                            .formatted(kind.noun(), String.join(", ", kind.records().keySet())));
            return Optional.empty();
        }
        if (use.get() instanceof YamlNode.Scalar name && !name.isNull()) {
            return named(name, mapping, kind, spot);
        }
        problems.mismatch(
                use.get(),
                spot.key(Binder.USE, use.get().origin()),
                "the name of a " + kind.noun());
        return Optional.empty();
    }

    private Optional<Effective.Bound> named(
            YamlNode.Scalar name, YamlNode.Mapping mapping, Components.Kind kind, Spot spot) {
        Class<? extends Record> type = kind.records().get(name.text());
        if (type == null) {
            String hint = Names.hint(name.text(), kind.records().keySet(), "known");
            problems.add(
                    name.origin(),
                    spot.path(),
                    "unknown " + kind.noun() + " '" + name.text() + "'" + hint);
            return Optional.empty();
        }
        return records.bind(mapping, RecordSchema.of(type), spot, Set.of(Binder.USE))
                .map(bound ->
                        new Effective.Bound(
                                new Component<>(name.text(), (Record) bound.value()),
                                ((Effective.Keys) bound.effective())
                                        .behind(name.text(), name.origin())));
    }
}
