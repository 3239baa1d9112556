package dev.outrider.cli;

import dev.outrider.config.KeyDescription;
import java.util.ArrayList;
import java.util.List;

/// The keys of a configuration as lines for people.
final class KeyList {
    private KeyList() {}

    static List<String> of(Class<? extends Record> type) {
        var lines = new ArrayList<String>();
        KeyDescription.of(type).forEach(key -> add(key, "  ", lines));
        return lines;
    }

    private static void add(KeyDescription key, String indent, List<String> lines) {
        var need = key.required() ? "required" : "default " + key.defaultValue().orElse("none");
        lines.add(
                "%s%s%s  %s"
                        .formatted(
                                indent,
                                key.name(),
                                key.alternative() ? "" : " (" + key.type() + ", " + need + ")",
                                key.doc()));
        key.nested().forEach(each -> add(each, indent + "  ", lines));
    }
}
