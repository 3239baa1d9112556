package dev.outrider.nn.checkpoint;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outrider.common.BoundedFile;
import java.io.IOException;
import java.nio.file.Path;

/// Reads the JSON of a checkpoint. JSON that two readers could understand differently is refused: a duplicate key, text after the
/// value, numbers beyond a double. Deep nesting is refused too.
public final class CheckpointJson {
    /// The largest published tokenizers have 40 MB.
    static final int MAX_BYTES = 256 << 20;

    private static final int DEEPEST = 64;

    private static final ObjectMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(DEEPEST)
                                                    .build())
                                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private CheckpointJson() {}

    /// Reads a whole file.
    ///
    /// @throws com.fasterxml.jackson.core.JsonProcessingException if it is not such JSON
    /// @throws IOException if the file cannot be read
    public static JsonNode read(Path file) throws IOException {
        var node = MAPPER.readTree(BoundedFile.bytes(file, MAX_BYTES));
        requireFinite(node);
        return node;
    }

    private static void requireFinite(JsonNode node) throws JsonParseException {
        if (node.isFloatingPointNumber() && !Double.isFinite(node.doubleValue())) {
            throw new JsonParseException(
                    (JsonParser) null, "a number beyond the range of a double");
        }
        for (var child : node) {
            requireFinite(child);
        }
    }
}
