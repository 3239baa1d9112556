package dev.outrider.config;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.outrider.common.Sha256;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The configuration as it is used: canonical names, defaults filled in, each value with its
/// origin. Immutable.
public final class EffectiveConfig {
    private final Effective root;

    EffectiveConfig(Effective root) {
        this.root = root;
    }

    /// Returns YAML that reads back to the same configuration, each value followed by its origin as
    /// a comment: `# quickstart.yaml:12`, `# --set` or `# default`.
    ///
    /// Paths are as they were written.
    public String toYaml() {
        return Writer.yaml(root, Optional.empty());
    }

    /// Like [#toYaml()], with paths relative to the directory where the text will be saved.
    public String toYaml(Path directory) {
        return Writer.yaml(root, Optional.of(directory));
    }

    /// Returns the values as JSON: keys sorted, one spelling for each value, no white space.
    ///
    /// Two files with the same meaning give the same text, for all comments, key orders,
    /// spelling of names and omitted defaults. Paths are as they were written, so the text does not
    /// depend on the position of a checkout.
    public String toJson() {
        return Writer.json(root, Optional.empty());
    }

    /// Like [#toJson()], with paths relative to the directory where the text will be saved. JSON is
    /// YAML: the text reads back to the same configuration.
    public String toJson(Path directory) {
        return Writer.json(root, Optional.of(directory));
    }

    /// Returns the origin of a list element, as messages name it: `quickstart.yaml:12:5`, or the
    /// option that changed it.
    ///
    /// @param key   of the list, at the top level
    /// @param index of the element
    public Optional<String> place(String key, int index) {
        return root instanceof Effective.Keys keys
                        && keys.values().get(key) instanceof Effective.Items list
                        && index < list.items().size()
                ? Optional.of(list.items().get(index).origin().place())
                : Optional.empty();
    }

    /// A file or folder that the configuration names.
    ///
    /// @param key   of the value, as after `--set`: `variants[0].drafter.path`
    /// @param path  resolved; of a name in place of a path, where its files are or would be
    /// @param place its origin
    public record NamedPath(String key, Path path, String place) {}

    /// Returns all files and folders that a part of the configuration names.
    ///
    /// @param top key at the top level
    public List<NamedPath> paths(String top) {
        var found = new ArrayList<NamedPath>();
        if (root instanceof Effective.Keys keys && keys.values().containsKey(top)) {
            leaves(
                    top,
                    keys.values().get(top),
                    (key, leaf) ->
                            leaf.path()
                                    .map(path -> new NamedPath(key, path, leaf.origin().place()))
                                    .ifPresent(found::add));
        }
        return found;
    }

    /// A name in place of a path.
    ///
    /// @param name     as it was written
    /// @param revision of the files on this machine; nothing if they are missing
    public record RemoteName(String name, Optional<String> revision) {}

    /// Returns all names in place of paths, each once.
    public List<RemoteName> remoteNames() {
        var found = new LinkedHashSet<RemoteName>();
        leaves(
                "",
                root,
                (_, leaf) ->
                        leaf.remote()
                                .map(place -> new RemoteName(leaf.text(), place.revision()))
                                .ifPresent(found::add));
        return List.copyOf(found);
    }

    /// Visits every single value with its key, as after `--set`.
    private static void leaves(
            String key, Effective value, BiConsumer<String, Effective.Leaf> visitor) {
        switch (value) {
            case Effective.Leaf leaf -> visitor.accept(key, leaf);
            case Effective.Items list -> {
                for (int index = 0; index < list.items().size(); index++) {
                    leaves("%s[%d]".formatted(key, index), list.items().get(index), visitor);
                }
            }
            case Effective.Keys keys ->
                    keys.values()
                            .forEach((name, item) ->
                                    leaves(key.isEmpty() ? name : key + "." + name, item, visitor));
        }
    }

    /// Returns the SHA-256 of [#toJson()], 64 hexadecimal digits.
    public String configHash() {
        return Sha256.of(toJson()).hex();
    }

    /// Writes an effective configuration as commented YAML and as canonical JSON.
    static final class Writer {
        /// Text that needs no quotes: a name, a path or a duration.
        private static final Pattern PLAIN =
                Pattern.compile("(?:[A-Za-z_]|\\.{1,2}/)[A-Za-z0-9_./+-]*|([0-9]+[a-z]{1,2})+");

        private static final Pattern RESERVED =
                Pattern.compile("(?i)null|true|false|yes|no|on|off|y|n");
        private static final int COMMENT_COLUMN = 48;

        private final Optional<Path> directory;
        private final List<String> lines = new ArrayList<>();

        private Writer(Optional<Path> directory) {
            this.directory = directory;
        }

        static String yaml(Effective root, Optional<Path> directory) {
            var writer = new Writer(directory);
            writer.block("", root);
            return String.join("\n", writer.lines) + "\n";
        }

        static String json(Effective node, Optional<Path> directory) {
            return new Writer(directory).json(node);
        }

        private String json(Effective node) {
            return switch (node) {
                case Effective.Leaf leaf ->
                        leaf.style() == ScalarType.Style.BARE ? leaf.text() : quote(text(leaf));
                case Effective.Items list ->
                        list.items().stream()
                                .map(this::json)
                                .collect(Collectors.joining(",", "[", "]"));
                case Effective.Keys keys ->
                        new TreeMap<>(keys.values())
                                .entrySet().stream()
                                        .map(entry ->
                                                quote(entry.getKey())
                                                        + ":"
                                                        + json(entry.getValue()))
                                        .collect(Collectors.joining(",", "{", "}"));
            };
        }

        private String text(Effective.Leaf leaf) {
            return leaf.path()
                    .filter(_ -> leaf.remote().isEmpty())
                    .flatMap(this::relative)
                    .orElse(leaf.text());
        }

        private void block(String indent, Effective node) {
            switch (node) {
                case Effective.Leaf leaf -> line(indent + scalar(leaf), leaf.origin());
                case Effective.Items list -> items(indent, list);
                case Effective.Keys keys -> keys(indent, keys);
            }
        }

        private void keys(String indent, Effective.Keys keys) {
            if (keys.values().isEmpty()) {
                line(indent + "{}", keys.origin());
            }
            for (Map.Entry<String, Effective> entry : keys.values().entrySet()) {
                String head = indent + key(entry.getKey()) + ":";
                Optional<String> flow = flow(entry.getValue());
                if (flow.isPresent()) {
                    line(head + " " + flow.get(), entry.getValue().origin());
                } else {
                    lines.add(head);
                    block(indent + "  ", entry.getValue());
                }
            }
        }

        private void items(String indent, Effective.Items list) {
            for (Effective item : list.items()) {
                Optional<String> flow = flow(item);
                if (flow.isPresent()) {
                    line(indent + "- " + flow.get(), item.origin());
                } else {
                    int first = lines.size();
                    block(indent + "  ", item);
                    String line = lines.get(first);
                    lines.set(first, indent + "- " + line.substring(indent.length() + 2));
                }
            }
        }

        /// Returns a value that fits on its key's line: a scalar, an empty mapping, or a list of
        /// such.
        private Optional<String> flow(Effective node) {
            return switch (node) {
                case Effective.Leaf leaf -> Optional.of(scalar(leaf));
                case Effective.Keys keys ->
                        keys.values().isEmpty() ? Optional.of("{}") : Optional.empty();
                case Effective.Items list -> {
                    boolean simple =
                            list.items().stream()
                                    .noneMatch(item ->
                                            item instanceof Effective.Keys keys
                                                    && !keys.values().isEmpty());
                    List<String> parts =
                            list.items().stream().flatMap(item -> flow(item).stream()).toList();
                    yield simple && parts.size() == list.items().size()
                            ? Optional.of("[" + String.join(", ", parts) + "]")
                            : Optional.empty();
                }
            };
        }

        private void line(String text, Origin origin) {
            int gap = Math.max(2, COMMENT_COLUMN - text.length());
            lines.add(text + " ".repeat(gap) + "# " + origin.comment());
        }

        private String scalar(Effective.Leaf leaf) {
            if (leaf.style() == ScalarType.Style.BARE) {
                return leaf.text();
            }
            String text = text(leaf);
            return isPlain(text) ? text : quote(text);
        }

        private Optional<String> relative(Path path) {
            return directory.map(base ->
                    base.toAbsolutePath()
                            .normalize()
                            .relativize(path.toAbsolutePath().normalize())
                            .toString()
                            .replace('\\', '/'));
        }

        private static String key(String name) {
            return isPlain(name) ? name : quote(name);
        }

        private static boolean isPlain(String text) {
            return PLAIN.matcher(text).matches() && !RESERVED.matcher(text).matches();
        }

        private static String quote(String text) {
            return "\""
                    + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text))
                    + "\"";
        }
    }
}
