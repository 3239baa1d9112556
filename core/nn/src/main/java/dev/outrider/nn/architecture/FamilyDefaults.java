package dev.outrider.nn.architecture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/// What published configurations of a family may leave out: a key that is missing has the value of
/// `family-defaults.json`, one that is null has none.
final class FamilyDefaults {
    private static final JsonNode ALL = read();

    private FamilyDefaults() {}

    /// @return the configuration with every key that its family lets it leave out
    static ConfigNode complete(ConfigNode config, Family family) {
        ObjectNode complete = config.node().deepCopy();
        ALL.required(family.modelType())
                .properties()
                .forEach(entry -> complete.putIfAbsent(entry.getKey(), entry.getValue()));
        return new ConfigNode(config.path(), config.prefix(), complete);
    }

    private static JsonNode read() {
        var name = "family-defaults.json";
        try (var in = Objects.requireNonNull(FamilyDefaults.class.getResourceAsStream(name))) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
