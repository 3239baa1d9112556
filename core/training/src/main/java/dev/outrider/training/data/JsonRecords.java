package dev.outrider.training.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outrider.training.data.DataSourceConfig.RecordKind;
import dev.outrider.training.data.LineBlocks.Utf8;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.Optional;

/// Lines with a JSON object each. Thread-safe.
///
/// @param kind of records; if absent, as their fields say
record JsonRecords(Optional<RecordKind> kind) implements LineBlocks.LineRecord {
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
        return Optional.of(json(line, file, offset))
                .map(json -> document(json, file, offset))
                .filter(Document::hasText);
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

    private Document document(JsonNode json, Path file, long offset) {
        var fields = new RecordFields(json, problem -> DataFailures.at(file, offset, problem));
        return fields.document(kind);
    }
}
