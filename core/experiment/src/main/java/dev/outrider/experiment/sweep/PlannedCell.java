package dev.outrider.experiment.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// One experiment of a sweep, complete: whoever has it needs neither the sweep's file nor its command line.
///
/// @param index      from 0
/// @param id         names its folder: the index and the beginning of the hash
/// @param labels     its value on every axis
/// @param configHash SHA-256 of its effective configuration, wherever the plan lies
/// @param config     the effective configuration; its paths are relative to the plan's folder
public record PlannedCell(
        int index, String id, Map<String, String> labels, String configHash, JsonNode config) {
    private static final int HASH_DIGITS = 12;

    public PlannedCell {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    static PlannedCell of(
            int index, Map<String, String> labels, String configHash, JsonNode config) {
        String id = "%04d-%s".formatted(index, configHash.substring(0, HASH_DIGITS));
        return new PlannedCell(index, id, labels, configHash, config);
    }

    /// Axes and values on one line.
    public String describe() {
        return describe(labels);
    }

    static String describe(Map<String, String> labels) {
        return labels.entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(" "));
    }
}
