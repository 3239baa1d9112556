package dev.outrider.experiment.results;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.outrider.common.BoundedFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.Surrogates;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Writes records as JSON and reads result files into the records they were written from; an empty `Optional` is `null`. A key that is
/// missing or of the wrong type is an error, and so is `null` in a list or as a value of a map; an unknown key is ignored: a
/// newer Outrider wrote it.
public final class Json {
    /// Much larger than any result; a larger file is refused.
    private static final int MAX_BYTES = 256 << 20;

    private static final ObjectMapper MAPPER =
            JsonMapper.builder()
                    .addModule(new Jdk8Module())
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
                    .build();

    private static final String REMEDY =
            "Run the comparison again, or name a folder that 'outrider bench' or 'outrider sweep' has written.";

    private Json() {}

    /// Returns a record as one line, without the line's end.
    public static String line(Object value) {
        return write(value, false);
    }

    /// Returns a record as the content of a file, with the end of the last line.
    public static String pretty(Object value) {
        return write(value, true) + "\n";
    }

    private static String write(Object value, boolean pretty) {
        try {
            var writer = pretty ? MAPPER.writerWithDefaultPrettyPrinter() : MAPPER.writer();
            // A plugin's tokenizer may return half a surrogate pair; a file may contain it as an
            // escape only.
            return Surrogates.replaced(writer.writeValueAsString(value), "\\u%04x"::formatted);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of plain values is always JSON", e);
        }
    }

    /// Parses a text that is known to be JSON.
    public static JsonNode tree(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the text was written as JSON", e);
        }
    }

    /// Reads one object.
    ///
    /// @throws OutriderException DATA_INVALID with the file and the mistake
    public static <T> T object(Path file, Class<T> type) {
        return object(file, type, REMEDY);
    }

    /// Reads one object.
    ///
    /// @param remedy what to do if it cannot be read
    /// @throws OutriderException DATA_INVALID with the file and the mistake
    public static <T> T object(Path file, Class<T> type, String remedy) {
        try {
            return MAPPER.readValue(BoundedFile.bytes(file, MAX_BYTES), type);
        } catch (IOException e) {
            throw unreadable(file, e, remedy);
        }
    }

    /// Reads an object that may be absent.
    ///
    /// @throws OutriderException DATA_INVALID if it is present and broken
    public static <T> Optional<T> optional(Path file, Class<T> type) {
        return optional(file, type, REMEDY);
    }

    /// Reads an object that may be absent.
    ///
    /// @param remedy what to do if it cannot be read
    /// @throws OutriderException DATA_INVALID if it is present and broken
    public static <T> Optional<T> optional(Path file, Class<T> type, String remedy) {
        return Files.exists(file) ? Optional.of(object(file, type, remedy)) : Optional.empty();
    }

    /// Reads one object per line; none if there is no file. A last line without an end is left out: the run was killed while it
    /// wrote the line.
    ///
    /// @throws OutriderException DATA_INVALID
    public static <T> List<T> lines(Path file, Class<T> type) {
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            String text = new String(BoundedFile.bytes(file, MAX_BYTES), StandardCharsets.UTF_8);
            var read = new ArrayList<T>();
            for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n", -1)) {
                if (!line.isBlank()) {
                    read.add(MAPPER.readValue(line, type));
                }
            }
            return List.copyOf(read);
        } catch (IOException e) {
            throw unreadable(file, e, REMEDY);
        }
    }

    private static OutriderException unreadable(Path file, IOException cause, String remedy) {
        return ErrorCode.DATA_INVALID.error(
                "'%s' cannot be read as results: %s".formatted(file, reason(cause)), remedy, cause);
    }

    private static String reason(IOException cause) {
        return switch (cause) {
            case JsonMappingException mapping when !mapping.getPath().isEmpty() ->
                    "%s is missing or of the wrong type%s"
                            .formatted(
                                    mapping.getPath().stream()
                                            .map(Json::step)
                                            .collect(Collectors.joining(".")),
                                    place(mapping));
            case JsonProcessingException json ->
                    json.getOriginalMessage().lines().findFirst().orElse("not JSON") + place(json);
            default -> FailureReason.of(cause);
        };
    }

    private static String step(JsonMappingException.Reference step) {
        return Optional.ofNullable(step.getFieldName())
                .orElseGet(() -> Integer.toString(step.getIndex()));
    }

    private static String place(JsonProcessingException problem) {
        return Optional.ofNullable(problem.getLocation())
                .map(at -> ", line " + at.getLineNr())
                .orElse("");
    }
}
