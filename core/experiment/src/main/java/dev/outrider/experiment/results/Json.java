package dev.outrider.experiment.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.outrider.common.Surrogates;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes records as JSON and reads them back; an empty `Optional` is `null`.
public final class Json {
    private static final ObjectMapper LINE =
            JsonMapper.builder()
                    .addModule(new Jdk8Module())
                    .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();
    private static final ObjectMapper PRETTY =
            JsonMapper.builder()
                    .addModule(new Jdk8Module())
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .build();

    private Json() {}

    static String line(Object value) {
        return write(LINE, value);
    }

    /// A record as a file of its own, its last line ended.
    public static String pretty(Object value) {
        return write(PRETTY, value) + "\n";
    }

    /// A text that is known to be JSON.
    public static JsonNode tree(String text) {
        try {
            return LINE.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the text was written as JSON", e);
        }
    }

    /// Reads a file.
    ///
    /// @param remedy what to do if it does not
    /// @throws OutriderException IO_FAILED, or DATA_INVALID if it is not such a record
    public static <T> T read(Path file, Class<T> type, String remedy) {
        try {
            return LINE.readValue(Files.readAllBytes(file), type);
        } catch (JsonProcessingException e) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "'%s' is damaged: %s".formatted(file, e.getOriginalMessage()),
                    remedy,
                    e);
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.IO_FAILED, "cannot read '%s': %s".formatted(file, e), remedy, e);
        }
    }

    private static String write(ObjectMapper mapper, Object value) {
        try {
            // A plugin's tokenizer may spell half a character: only an escape is allowed in a
            // file.
            return Surrogates.replaced(mapper.writeValueAsString(value), "\\u%04x"::formatted);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of plain values is always JSON", e);
        }
    }
}
