package dev.outrider.config;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Writes an effective configuration as commented YAML and as canonical JSON.
final class EffectiveWriter {
    /// Text that needs no quotes: a name, a path or a duration.
    private static final Pattern PLAIN =
            Pattern.compile("(?:[A-Za-z_]|\\.{1,2}/)[A-Za-z0-9_./+-]*|([0-9]+[a-z]{1,2})+");

    private static final Pattern RESERVED =
            Pattern.compile("(?i)null|true|false|yes|no|on|off|y|n");
    private static final int COMMENT_COLUMN = 48;

    private final Optional<Path> directory;
    private final List<String> lines = new ArrayList<>();

    private EffectiveWriter(Optional<Path> directory) {
        this.directory = directory;
    }

    static String yaml(Effective root, Optional<Path> directory) {
        var writer = new EffectiveWriter(directory);
        writer.block("", root);
        return String.join("\n", writer.lines) + "\n";
    }

    static String json(Effective node, Optional<Path> directory) {
        return new EffectiveWriter(directory).json(node);
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
                                            quote(entry.getKey()) + ":" + json(entry.getValue()))
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

    /// A value that fits on its key's line: a scalar, an empty mapping, or a list of such.
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
        return "\"" + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }
}
