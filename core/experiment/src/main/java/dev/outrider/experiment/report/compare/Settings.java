package dev.outrider.experiment.report.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.outrider.experiment.report.read.Cell;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The settings of a comparison by their keys, from the `config.yaml` in its folder.
///
/// Keys of a variant begin with its name, not its number. Left out is what names things and places, which may differ between
/// equal runs: the name, the question and every path. Prompts are compared by their tokens, models by their digests, and threads
/// by those that ran.
///
/// @param values every setting
record Settings(SortedMap<String, String> values) {
    private static final Set<String> NOT_COMPARED =
            Set.of("name", "question", "prompts", "threads", "sweep");

    /// Read the settings of a cell; none where an older version wrote it.
    ///
    /// @throws OutriderException DATA_INVALID
    static Optional<Settings> of(Cell cell) {
        Path file = cell.folder().resolve("config.yaml");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            var values = new TreeMap<String, String>();
            for (var top : new YAMLMapper().readTree(file.toFile()).properties()) {
                if (top.getKey().equals("variants")) {
                    top.getValue().forEach(variant -> variant(variant, values));
                } else if (!NOT_COMPARED.contains(top.getKey())) {
                    add(top.getKey(), top.getValue(), values);
                }
            }
            return Optional.of(new Settings(values));
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "'%s' cannot be read: %s".formatted(file, e.getMessage()),
                    "Run the comparison again.",
                    e);
        }
    }

    private static void variant(JsonNode variant, SortedMap<String, String> values) {
        String name = variant.path("name").asText();
        variant.properties().stream()
                .filter(entry -> !entry.getKey().equals("name"))
                .forEach(entry ->
                        add("%s: %s".formatted(name, entry.getKey()), entry.getValue(), values));
    }

    private static void add(String key, JsonNode value, SortedMap<String, String> values) {
        if (value.isObject()) {
            value.properties()
                    .forEach(entry -> add(key + "." + entry.getKey(), entry.getValue(), values));
        } else if (!key.endsWith("path") && !key.endsWith(".file")) {
            values.put(key, value.isValueNode() ? value.asText() : value.toString());
        }
    }

    /// Keys with different values, of settings that both have or only one.
    SortedSet<String> differences(Settings other) {
        var keys = new TreeSet<>(values.keySet());
        keys.addAll(other.values.keySet());
        keys.removeIf(key -> value(key).equals(other.value(key)));
        return keys;
    }

    /// The value of a key in words.
    String value(String key) {
        return Optional.ofNullable(values.get(key)).orElse("not set");
    }
}
