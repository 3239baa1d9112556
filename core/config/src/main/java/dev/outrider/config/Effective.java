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
    /// @param path  what a path resolved to
    /// @param remote where the files of a name are that stands in place of a path
    record Leaf(
            String text,
            ScalarType.Style style,
            Optional<Path> path,
            Optional<RemotePaths.Place> remote,
            Origin origin)
            implements Effective {
        /// A value that is no path.
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

        /// The same keys behind a `use: name`.
        Keys behind(String name, Origin named) {
            SequencedMap<String, Effective> all = new LinkedHashMap<>();
            all.put(Binder.USE, Leaf.of(name, ScalarType.Style.TEXT, named));
            all.putAll(values);
            return new Keys(all, origin);
        }
    }

    /// Where the value came from.
    Origin origin();

    /// A bound Java value and how it reads in the effective configuration.
    record Bound(Object value, Effective effective) {}
}
