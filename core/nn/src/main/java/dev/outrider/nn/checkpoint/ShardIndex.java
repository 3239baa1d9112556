package dev.outrider.nn.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.common.FailureReason;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// The index of a checkpoint in several files, `model.safetensors.index.json`.
///
/// @param fileOf plain file name by tensor name
record ShardIndex(Map<String, String> fileOf) {
    /// No separators, so that an index cannot reach outside its directory.
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.+=@ -]*");

    static ShardIndex read(Path path) {
        JsonNode root;
        try {
            root = CheckpointJson.read(path);
        } catch (JsonProcessingException e) {
            throw broken(path, "is not valid JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.IO_FAILED,
                    "the index '%s' cannot be read: %s".formatted(path, FailureReason.of(e)),
                    "Check that the file is there and may be read.",
                    e);
        }
        var map = root.path("weight_map");
        if (!map.isObject() || map.isEmpty()) {
            throw broken(path, "has no weight_map");
        }
        var fileOf = new LinkedHashMap<String, String>();
        for (var entry : map.properties()) {
            var file = entry.getValue();
            if (!file.isTextual() || !PLAIN_NAME.matcher(file.textValue()).matches()) {
                throw broken(
                        path,
                        "puts tensor '%s' into %s; expected the plain name of a file beside the index"
                                .formatted(entry.getKey(), file));
            }
            if (!file.textValue().endsWith(".safetensors")) {
                throw broken(
                        path,
                        "puts tensor '%s' into %s; expected a .safetensors file"
                                .formatted(entry.getKey(), file));
            }
            fileOf.put(entry.getKey(), file.textValue());
        }
        return new ShardIndex(fileOf);
    }

    private static OutriderException broken(Path path, String problem) {
        return new OutriderException(
                ErrorCode.SAFETENSORS_CORRUPT,
                "the index '%s' %s".formatted(path, problem),
                "Download the index again from where the checkpoint comes from.");
    }
}
