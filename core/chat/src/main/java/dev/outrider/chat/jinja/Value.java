package dev.outrider.chat.jinja;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A value of the template language. All values are immutable except [Namespace].
public sealed interface Value {
    /// A string.
    record Text(String text) implements Value, Comparable<Text> {
        /// An order makes maps fast when many keys have the same hash.
        @Override
        public int compareTo(Text other) {
            return text.compareTo(other.text);
        }
    }

    /// An integer.
    record Int(long value) implements Value, Comparable<Int> {
        /// An order, as of [Text].
        @Override
        public int compareTo(Int other) {
            return Long.compare(value, other.value);
        }
    }

    /// A floating-point number.
    record Real(double value) implements Value, Comparable<Real> {
        /// An order, as of [Text].
        @Override
        public int compareTo(Real other) {
            return Double.compare(value, other.value);
        }
    }

    /// A boolean.
    record Truth(boolean value) implements Value {}

    /// Python's `None`.
    record None() implements Value {}

    /// The value of a missing name or key. It prints as nothing; most uses fail.
    record Undefined(String name) implements Value {}

    /// A list.
    record Sequence(List<Value> elements) implements Value {
        public Sequence {
            elements = List.copyOf(elements);
        }
    }

    /// A dictionary in insertion order. Keys are scalars.
    record Mapping(Map<Value, Value> entries) implements Value {
        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        /// Returns the value of a string key, or [Undefined].
        Value get(String key) {
            return entries.getOrDefault(new Text(key), new Undefined(key));
        }
    }

    /// A function that a template can call.
    record Function(String name, Callable callable) implements Value {}

    /// An object whose fields a template can set inside a loop.
    final class Namespace implements Value {
        private final Map<String, Value> fields;
        private final Computed otherwise;

        /// Computes the value of a field that was not set.
        interface Computed {
            Value get(String name);
        }

        Namespace(Map<String, Value> fields) {
            this.fields = new LinkedHashMap<>(fields);
            this.otherwise = Undefined::new;
        }

        /// Creates a namespace without fields.
        Namespace(Computed otherwise) {
            this.fields = new LinkedHashMap<>();
            this.otherwise = otherwise;
        }

        Value get(String name) {
            var value = fields.get(name);
            return value == null ? otherwise.get(name) : value;
        }

        void set(String name, Value value) {
            fields.put(name, value);
        }
    }

    /// The code of a function.
    interface Callable {
        /// @param budget charged for the cost of the call beyond one step
        Value call(Arguments arguments, Budget budget);
    }

    /// Arguments of a call, a filter or a test.
    record Arguments(List<Value> positional, Map<String, Value> named) {
        /// Returns the argument at a position or with a name, or `otherwise`.
        Value get(int position, String name, Value otherwise) {
            return position < positional.size()
                    ? positional.get(position)
                    : named.getOrDefault(name, otherwise);
        }

        /// Returns a required argument.
        Value get(int position, String name) {
            var value = get(position, name, new Undefined(name));
            if (value instanceof Undefined) {
                throw new TemplateException("argument '%s' is missing".formatted(name));
            }
            return value;
        }
    }
}
