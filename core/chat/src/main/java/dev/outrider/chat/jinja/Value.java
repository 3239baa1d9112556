package dev.outrider.chat.jinja;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A value of the template language. All are immutable but [Namespace].
public sealed interface Value {
    /// A string.
    record Text(String text) implements Value {}

    /// An integer.
    record Int(long value) implements Value {}

    /// A floating-point number.
    record Real(double value) implements Value {}

    /// A truth value.
    record Truth(boolean value) implements Value {}

    /// Python's `None`.
    record None() implements Value {}

    /// What a name or key that is not there gives. Prints as nothing; most uses fail.
    record Undefined(String name) implements Value {}

    /// A list.
    ///
    /// @param weight see [Value#weight()]
    record Sequence(List<Value> elements, long weight) implements Value {
        public Sequence {
            elements = List.copyOf(elements);
        }

        public Sequence(List<Value> elements) {
            this(elements, 1 + elements.stream().mapToLong(Value::weight).sum());
        }
    }

    /// A dictionary in the order of its making.
    ///
    /// @param weight see [Value#weight()]
    record Mapping(Map<Value, Value> entries, long weight) implements Value {
        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        public Mapping(Map<Value, Value> entries) {
            this(
                    entries,
                    1
                            + entries.entrySet().stream()
                                    .mapToLong(entry ->
                                            entry.getKey().weight() + entry.getValue().weight())
                                    .sum());
        }

        /// The value of a string key, or [Undefined].
        Value get(String key) {
            return entries.getOrDefault(new Text(key), new Undefined(key));
        }
    }

    /// Something a template can call.
    record Function(String name, Callable callable) implements Value {}

    /// A box whose fields a template can set from inside a loop.
    final class Namespace implements Value {
        private final Map<String, Value> fields;

        Namespace(Map<String, Value> fields) {
            this.fields = new LinkedHashMap<>(fields);
        }

        Value get(String name) {
            return fields.getOrDefault(name, new Undefined(name));
        }

        void set(String name, Value value) {
            fields.put(name, value);
        }
    }

    /// The code of a function.
    interface Callable {
        Value call(Arguments arguments);
    }

    /// Arguments of a call, a filter or a test.
    record Arguments(List<Value> positional, Map<String, Value> named) {
        static final Arguments NONE = new Arguments(List.of(), Map.of());

        /// The argument at a position or of a name, or `otherwise`.
        Value get(int position, String name, Value otherwise) {
            return position < positional.size()
                    ? positional.get(position)
                    : named.getOrDefault(name, otherwise);
        }

        /// An argument that must be there.
        Value get(int position, String name) {
            var value = get(position, name, new Undefined(name));
            if (value instanceof Undefined) {
                throw new TemplateException("argument '%s' is missing".formatted(name));
            }
            return value;
        }
    }

    /// How much writing the value out takes: its characters and elements, each place it occurs in counted anew. Bounded
    /// by [Budget], which keeps lists of lists of lists in check that share their elements.
    default long weight() {
        return this instanceof Text(String text) ? 1L + text.length() : 1;
    }
}
