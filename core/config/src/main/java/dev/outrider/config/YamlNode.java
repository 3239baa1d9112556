package dev.outrider.config;

import java.util.List;
import java.util.Set;

/// A YAML value with its position. Only what configuration needs: no anchors, no tags.
public sealed interface YamlNode {
    /// Returns the start of the value.
    Origin origin();

    /// Returns the kind of this value for messages: `text "abc"`, `a list`, `a mapping`.
    String describe();

    /// A single value as written.
    ///
    /// @param quoted whether it was in quotes or in a block (`|`, `>`), which makes it a text in
    ///     any case
    record Scalar(String text, boolean quoted, Origin origin) implements YamlNode {
        private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
        private static final int SHOWN = 60;

        /// Returns whether a value is absent: `key:` without a value, `~` or `null`.
        public boolean isNull() {
            return !quoted && NULLS.contains(text);
        }

        @Override
        public String describe() {
            if (isNull()) {
                return "nothing";
            }
            String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
            shown = shown.replace("\n", "\\n").replace("\r", "\\r");
            return quoted ? "text \"" + shown + "\"" : shown;
        }
    }

    /// A list.
    record Sequence(List<YamlNode> items, Origin origin) implements YamlNode {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String describe() {
            return "a list";
        }
    }

    /// A mapping in file order; a key may occur twice, which the binder reports.
    record Mapping(List<Entry> entries, Origin origin) implements YamlNode {
        public Mapping {
            entries = List.copyOf(entries);
        }

        @Override
        public String describe() {
            return "a mapping";
        }
    }

    /// One `key: value` of a mapping.
    record Entry(String key, Origin keyOrigin, YamlNode value) {}
}
