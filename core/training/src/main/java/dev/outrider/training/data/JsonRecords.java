package dev.outrider.training.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outrider.common.Surrogates;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Lines with a JSON object each. Thread-safe.
final class JsonRecords implements LineBlocks.LineRecord {
    private static final ObjectMapper JSON = mapper();

    private static ObjectMapper mapper() {
        var mapper =
                JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
        mapper.getFactory()
                .setStreamReadConstraints(
                        StreamReadConstraints.builder()
                                .maxStringLength(LineBlocks.LONGEST)
                                .maxNestingDepth(100)
                                .build());
        return mapper;
    }

    @Override
    public Optional<Document> read(byte[] line, Path file, long offset) {
        var text = text(json(line, file, offset), file, offset);
        return text.isBlank() ? Optional.empty() : Optional.of(new Document(text, true));
    }

    private static JsonNode json(byte[] line, Path file, long offset) {
        try {
            return JSON.readTree(Utf8.decoded(line, 0, line.length, offset == 0));
        } catch (CharacterCodingException e) {
            throw DataFailures.at(file, offset, "expected a JSON object in UTF-8, got other bytes");
        } catch (JsonProcessingException e) {
            throw DataFailures.at(
                    file,
                    offset,
                    "expected a JSON object: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""));
        }
    }

    private static String text(JsonNode json, Path file, long offset) {
        var text = json.path("text");
        if (!text.isTextual()) {
            throw DataFailures.at(
                    file,
                    offset,
                    "expected an object with a string 'text', got %s".formatted(described(json)));
        }
        if (Surrogates.anyIn(text.textValue())) {
            throw DataFailures.at(
                    file, offset, "the text has half a surrogate pair, which is no character");
        }
        return text.textValue();
    }

    private static String described(JsonNode json) {
        if (!json.isObject()) {
            return json.getNodeType().name().toLowerCase(Locale.ROOT);
        }
        var names = json.propertyStream().map(Map.Entry::getKey).limit(8).toList();
        return names.isEmpty() ? "an empty object" : "keys " + String.join(", ", names);
    }
}
