package dev.outrider.config;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// A value of the effective configuration: canonical names, defaults filled in, each with its origin.
sealed interface Effective {
    /// A single value.
    ///
    /// @param text  canonical spelling; of a path, as written
    /// @param style bare or text
    /// @param path  the resolved path
    /// @param remote position of the files, if the value is a name in place of a path
    record Leaf(
            String text,
            ScalarType.Style style,
            Optional<Path> path,
            Optional<RemotePaths.Place> remote,
            Origin origin)
            implements Effective {
        /// Returns a value that is not a path.
        static Leaf of(String text, ScalarType.Style style, Origin origin) {
            return new Leaf(text, style, Optional.empty(), Optional.empty(), origin);
        }
    }

    /// A list.
    record Items(List<Effective> items, Origin origin) implements Effective {
        public Items {
            items = List.copyOf(items);
        }
    }

    /// A mapping in the order of the record's components.
    record Keys(SequencedMap<String, Effective> values, Origin origin) implements Effective {
        public Keys {
            values = new LinkedHashMap<>(values);
        }

        /// Returns the same keys with `use: name` before them.
        Keys behind(String name, Origin named) {
            SequencedMap<String, Effective> all = new LinkedHashMap<>();
            all.put(Names.USE, Leaf.of(name, ScalarType.Style.TEXT, named));
            all.putAll(values);
            return new Keys(all, origin);
        }
    }

    /// Returns the position where the value was written.
    Origin origin();

    /// A bound Java value and its form in the effective configuration.
    record Bound(Object value, Effective effective) {}
}
