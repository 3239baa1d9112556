package dev.outrider.cli;

import dev.outrider.config.KeyDescription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Keys as tables of Markdown. The keys below a key are shown where they occur first; later tables refer to that place.
final class KeyTables {
    private final Map<List<KeyDescription>, String> shown = new HashMap<>();

    /// One table.
    ///
    /// @param where how later tables call this one, maybe empty
    String of(String where, List<KeyDescription> keys) {
        var table =
                new StringBuilder(
                        "| key | type | default | what it is |\n| --- | --- | --- | --- |\n");
        keys.forEach(key -> rows(table, where, key.name(), key));
        return table.toString();
    }

    private void rows(StringBuilder table, String where, String path, KeyDescription key) {
        String standard =
                key.required() ? "" : key.defaultValue().map("`%s`"::formatted).orElse("left out");
        String place = "`%s`%s".formatted(path, where.isEmpty() ? "" : " of " + where);
        String first = shown.getOrDefault(key.nested(), place);
        boolean repeated = !key.nested().isEmpty() && !first.equals(place);
        table.append(
                "| `%s` | %s | %s | %s |\n"
                        .formatted(
                                path,
                                key.type(),
                                cell(standard),
                                cell(key.doc() + (repeated ? " Keys as of " + first + "." : ""))));
        if (!repeated) {
            shown.put(key.nested(), place);
            below(table, where, path, key);
        }
    }

    private void below(StringBuilder table, String where, String path, KeyDescription key) {
        for (KeyDescription each : key.nested()) {
            if (each.alternative()) {
                table.append(
                        "| `%s` as `%s` | | | %s |\n"
                                .formatted(path, each.name(), cell(each.doc())));
                below(table, where, path + inside(key), each);
            } else {
                rows(table, where, path + inside(key) + "." + each.name(), each);
            }
        }
    }

    /// What stands between a key and the keys of its values.
    private static String inside(KeyDescription key) {
        if (key.type().startsWith(KeyDescription.LIST_OF)) {
            return "[]";
        }
        return key.type().startsWith(KeyDescription.MAPPING_TO) ? ".NAME" : "";
    }

    private static String cell(String text) {
        return text.strip().replace("|", "\\|");
    }
}
