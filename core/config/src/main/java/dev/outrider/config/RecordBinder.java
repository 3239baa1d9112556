package dev.outrider.config;

import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Binds a mapping to a record: matches keys to components, fills defaults, calls the constructor,
/// and reports its exceptions at the right position.
///
/// A record is created even if a key was unknown, or a value could not be read but has a default:
/// the problem fails the file, and the constructor can still check the other values in the same
/// pass.
record RecordBinder(Binder binder, Problems problems) {
    /// @param handled keys of the mapping that other code reads, such as `use`
    Optional<Effective.Bound> bind(
            YamlNode.Mapping mapping,
            RecordSchema schema,
            SourceLocation location,
            Set<String> handled) {
        Map<String, YamlNode.Entry> given = given(mapping, schema, location, handled);
        List<Object> values = new ArrayList<>();
        SequencedMap<String, Effective> effective = new LinkedHashMap<>();
        for (RecordSchema.Key key : schema.keys()) {
            value(key, Optional.ofNullable(given.get(key.name())), location)
                    .ifPresent(bound -> {
                        values.add(bound.value());
                        bound.effective().ifPresent(shown -> effective.put(key.name(), shown));
                    });
        }
        if (values.size() < schema.keys().size()) {
            return Optional.empty();
        }
        return create(schema, values, given, location)
                .map(created ->
                        new Effective.Bound(
                                created, new Effective.Keys(effective, mapping.origin())));
    }

    private record Slot(Object value, Optional<Effective> effective) {}

    private Optional<Slot> value(
            RecordSchema.Key key, Optional<YamlNode.Entry> entry, SourceLocation location) {
        boolean absent = entry.isEmpty() || key.optional() && isNull(entry.get().value());
        if (!absent) {
            YamlNode.Entry there = entry.get();
            return slot(binder.bind(
                            there.value(), key.type(), location.key(key.name(), there.keyOrigin())))
                    .or(() -> standIn(key, location));
        }
        if (key.optional()) {
            return Optional.of(new Slot(Optional.empty(), Optional.empty()));
        }
        if (key.defaultValue().isPresent()) {
            YamlNode standard = key.defaultValue().get();
            return slot(
                    binder.bind(standard, key.type(), location.key(key.name(), standard.origin())));
        }
        String doc = key.doc().isEmpty() ? "" : ": " + key.doc();
        problems.add(location, "missing key '" + key.name() + "'" + doc);
        return Optional.empty();
    }

    /// Returns the default in place of a value that could not be read, so that the record's other values are still checked.
    private Optional<Slot> standIn(RecordSchema.Key key, SourceLocation location) {
        return key.optional() || key.defaultValue().isPresent()
                ? value(key, Optional.empty(), location)
                : Optional.empty();
    }

    private static Optional<Slot> slot(Optional<Effective.Bound> bound) {
        return bound.map(there -> new Slot(there.value(), Optional.of(there.effective())));
    }

    private static boolean isNull(YamlNode node) {
        return node instanceof YamlNode.Scalar scalar && scalar.isNull();
    }

    private Map<String, YamlNode.Entry> given(
            YamlNode.Mapping mapping,
            RecordSchema schema,
            SourceLocation location,
            Set<String> handled) {
        Map<String, YamlNode.Entry> given = new LinkedHashMap<>();
        for (YamlNode.Entry entry : mapping.entries()) {
            String name = Names.camel(entry.key());
            YamlNode.Entry first = given.putIfAbsent(name, entry);
            if (first != null) {
                problems.duplicate(entry, first, location);
            } else if (!handled.contains(name) && schema.key(name).isEmpty()) {
                unknown(entry, schema, location, handled);
            }
        }
        return given;
    }

    private void unknown(
            YamlNode.Entry entry,
            RecordSchema schema,
            SourceLocation location,
            Set<String> handled) {
        List<String> valid = Stream.concat(handled.stream(), schema.names().stream()).toList();
        String shown = entry.key().isEmpty() ? "''" : entry.key();
        problems.misspelt(
                entry.keyOrigin(),
                location.key(shown, entry.keyOrigin()).path(),
                "unknown key",
                entry.key(),
                valid,
                "valid keys");
    }

    private Optional<Object> create(
            RecordSchema schema,
            List<Object> values,
            Map<String, YamlNode.Entry> given,
            SourceLocation location) {
        try {
            return Optional.of(schema.create(values));
        } catch (OutriderException | IllegalArgumentException refused) {
            report(String.valueOf(refused.getMessage()), schema, given, location);
        } catch (RuntimeException broken) {
            report("refused with " + broken, schema, given, location);
        }
        return Optional.empty();
    }

    private void report(
            String message,
            RecordSchema schema,
            Map<String, YamlNode.Entry> given,
            SourceLocation location) {
        String oneLine = message.strip().replaceAll("\\s*\\R\\s*", "; ");
        Optional<YamlNode.Entry> blamed =
                schema.names().stream()
                        .filter(name -> given.containsKey(name) && mentions(oneLine, name))
                        .min((a, b) -> Integer.compare(oneLine.indexOf(a), oneLine.indexOf(b)))
                        .map(given::get);
        Origin origin =
                blamed.map(entry ->
                                entry.value() instanceof YamlNode.Scalar scalar
                                        ? scalar.origin()
                                        : entry.keyOrigin())
                        .orElse(location.origin());
        String path =
                blamed.map(entry -> location.key(Names.camel(entry.key()), origin).path())
                        .orElse(location.path());
        problems.add(origin, path, oneLine);
    }

    private static boolean mentions(String message, String name) {
        return Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(message).find();
    }
}
